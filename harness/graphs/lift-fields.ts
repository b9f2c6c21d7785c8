// The channel in the fields of a `StateSchema`.

import {
  DeltaValue,
  ReducedValue,
  UntrackedValue,
  getSchemaDefaultGetter,
  type StateSchemaFields,
} from '@langchain/langgraph';
import type { DeltaForm, Reduce } from './delta-form.js';
import { alreadyDelta, entryOf, noReducer, type Liftable } from './liftable.js';

/** @throws CannotLiftError where the channel is missing, delta already or without a reducer. */
export function liftFields(fields: StateSchemaFields, channel: string): Liftable<StateSchemaFields> {
  const field: unknown = entryOf(fields, channel);
  if (DeltaValue.isInstance(field)) throw alreadyDelta(channel);
  if (UntrackedValue.isInstance(field)) throw noReducer(channel, 'UntrackedValue');
  // Any other schema, whatever a zod registry knows of it: a StateSchema does not ask there.
  if (!ReducedValue.isInstance(field)) throw noReducer(channel, 'LastValue');
  const reduced = field as ReducedField;
  const initialValue = getSchemaDefaultGetter(reduced.valueSchema);
  return {
    full: { reduce: reduced.reducer, initialValue },
    withDelta: (delta) => ({ ...fields, [channel]: deltaValue(reduced, initialValue?.(), delta) }),
  };
}

type Schema = DeltaValue['valueSchema'];

interface ReducedField {
  readonly reducer: Reduce;
  readonly valueSchema: Schema;
  readonly inputSchema: Schema;
  readonly jsonSchemaExtra?: Record<string, unknown>;
}

function deltaValue(
  { valueSchema, inputSchema, jsonSchemaExtra }: ReducedField,
  ownInitialValue: unknown,
  { reduce, initialValue, snapshotFrequency }: DeltaForm,
): DeltaValue {
  // Without an initial value of its own a DeltaChannel begins with a list, a reduced channel with nothing.
  const schema = ownInitialValue === undefined ? beginningWith(initialValue, valueSchema) : valueSchema;
  return new DeltaValue(schema, {
    inputSchema,
    reducer: reduce,
    snapshotFrequency,
    ...(jsonSchemaExtra === undefined ? {} : { jsonSchemaExtra }),
  });
}

/** The schema with that default, for schemas of any library. */
function beginningWith(initialValue: () => unknown, schema: Schema): Schema {
  const own = schema['~standard'];
  return {
    '~standard': {
      ...own,
      validate: (value) => (value === undefined ? { value: initialValue() } : own.validate(value)),
    },
  };
}
