// The channel in a zod object. Zod has no word for a delta channel, so in delta the object becomes a StateSchema: for a
// StateGraph one that parses as the zod object does, for createAgent the one that createAgent makes of it itself.

import {
  getInteropZodObjectShape,
  interopParse,
  interopZodObjectPartial,
  isZodSchemaV4,
  type InteropZodObject,
  type InteropZodType,
} from '@langchain/core/utils/types';
import { ReducedValue, StateSchema, type BaseChannel, type StateSchemaFields } from '@langchain/langgraph';
import { schemaMetaRegistry, type SchemaMeta } from '@langchain/langgraph/zod';
import { deltaChannel, type DeltaForm } from './delta-form.js';
import { liftFields } from './lift-fields.js';
import { entryOf, fullFormOf, type Liftable } from './liftable.js';
import { overwriteOf } from './overwrite.js';

type Entries = Readonly<Record<string, unknown>>;
type Field = StateSchemaFields[string];

/** @throws CannotLiftError where the channel is missing, or has no reducer in LangGraph's registry. */
export function liftZod(zod: InteropZodObject, channel: string): Liftable<unknown> {
  const channels: Readonly<Record<string, unknown>> = schemaMetaRegistry.getChannelsForSchema(zod);
  return {
    full: fullFormOf(entryOf(channels, channel), channel),
    withDelta: (delta) => new ZodState(zod, channel, delta),
  };
}

/** The fields that createAgent makes of a zod object: it asks the registry about schemas of zod 4 only. */
export function agentFieldsOf(zod: InteropZodObject): StateSchemaFields {
  return fieldsOf(zod, isZodSchemaV4);
}

function fieldsOf(zod: InteropZodObject, isAsked: (schema: unknown) => boolean): StateSchemaFields {
  const shape: Readonly<Record<string, InteropZodType>> = getInteropZodObjectShape(zod);
  const fields = Object.entries(shape).map(([name, schema]): [string, Field] => {
    const { reducer, jsonSchemaExtra }: SchemaMeta<unknown> =
      (isAsked(schema) ? schemaMetaRegistry.get(schema) : undefined) ?? {};
    if (reducer === undefined) return [name, schema as Field];
    const extra = jsonSchemaExtra === undefined ? {} : { jsonSchemaExtra };
    const inputSchema = (reducer.schema ?? schema) as ReducedValue['inputSchema'];
    const init = { reducer: reducer.fn, inputSchema, ...extra };
    return [name, new ReducedValue(schema as ReducedValue['valueSchema'], init)];
  });
  return Object.fromEntries(fields);
}

/**
 * A StateSchema that is a zod object to a StateGraph, apart from one channel. A StateSchema made of the same fields would
 * not be: it gives defaults to channels once, where a zod object writes them with every input, and keeps unknown keys.
 *
 * Two things differ, in inputs: the `update` of a Command is given defaults, and an `Overwrite` is parsed as a node's is.
 */
class ZodState extends StateSchema<StateSchemaFields> {
  readonly #zod: InteropZodObject;
  readonly #channel: string;
  readonly #delta: DeltaForm;

  constructor(zod: InteropZodObject, channel: string, delta: DeltaForm) {
    // For createAgent and for JSON schemas, which read fields.
    const fields = fieldsOf(zod, () => true);
    super(liftFields(fields, channel).withDelta(delta));
    this.#zod = zod;
    this.#channel = channel;
    this.#delta = delta;
  }

  override getChannels(): Record<string, BaseChannel> {
    const channels: Record<string, BaseChannel> = schemaMetaRegistry.getChannelsForSchema(this.#zod);
    return { ...channels, [this.#channel]: deltaChannel(this.#delta) };
  }

  override async validateInput<T>(data: T): Promise<T> {
    if (typeof data !== 'object' || data === null) return data;
    const entries = Object.entries(data);
    const writes = Object.fromEntries(entries.filter(([, value]) => overwriteOf(value) === null));
    const values = entries.flatMap(([key, value]): [string, unknown][] => {
      const overwrite = overwriteOf(value);
      return overwrite === null ? [] : [[key, overwrite.value]];
    });
    const ofWrites = schemaMetaRegistry.getExtendedChannelSchemas(this.#zod, { withReducerSchema: true });
    const parsed: Record<string, unknown> = { ...parsePartial(ofWrites, writes) };
    for (const [key, value] of values) {
      parsed[key] = { __overwrite__: parsePartial(this.#zod, { [key]: value })[key] };
    }
    return parsed as T;
  }
}

function parsePartial(zod: InteropZodObject, value: Entries): Entries {
  return interopParse(interopZodObjectPartial(zod), value) as Entries;
}
