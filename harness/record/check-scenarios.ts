// The contract scenarios, which call a saver's methods directly, and the cost scenarios, which count. In the order in which
// they run.

import { BACKENDS } from './names.js';
import type { ScenarioFacts } from './scenario-facts.js';

export const CHECK_SCENARIOS = {
  'write-order': {
    kind: 'contract',
    about:
      'Pending writes come back by task path, task id and position, whatever the order in which they were put.',
  },
  'fresh-store': {
    kind: 'contract',
    about: 'A store that nothing was written to: reading, listing and deleting find nothing.',
  },
  'missing-namespace': {
    kind: 'contract',
    about:
      'Without checkpoint_ns a write and a checkpoint belong to the root namespace, or are refused; never lost.',
  },
  'bytes-write': {
    kind: 'contract',
    about: 'A write that is a Uint8Array comes back as one, byte for byte.',
  },
  'unserializable-write': {
    kind: 'contract',
    about: 'A write that JSON cannot hold comes back or is refused; it does not become a text.',
  },
  'repeated-write': {
    kind: 'contract',
    about:
      'A write put twice under one task and position stands once; one that differs is not dropped in silence.',
  },
  'other-parent': {
    kind: 'contract',
    about: 'A checkpoint that is put again under another parent has the parent that was put last.',
  },
  'unlisted-snapshot': {
    kind: 'contract',
    about: 'A snapshot in channel_values is stored even where newVersions does not name its channel.',
  },
  list: { kind: 'contract', about: 'list() by id, limit, before and metadata.' },
  'hostile-ids': {
    kind: 'contract',
    about: 'Ids that are no plain text: what is put under them comes back under them, or is refused.',
  },
  'missing-ancestor': {
    kind: 'contract',
    about: 'A walk whose ancestor has no row is refused: what it could return is a shorter state.',
    backends: BACKENDS,
  },
  reducers: {
    kind: 'contract',
    about:
      'Every reducer of a delta channel folds batches apart as it does together, repeats itself, and changes no input.',
    backends: ['memory'],
  },
  conformance: {
    kind: 'contract',
    about: 'The public conformance tests of LangGraph for savers, with those of the delta history.',
  },
  'read-by-phase': {
    kind: 'cost',
    about: 'Ancestors that a read of the head loads, update by update of one cadence.',
  },
  'read-parsing': {
    kind: 'cost',
    about:
      'Parsing what a read receives takes no more than twice as long as for the same values as plain rows.',
    backends: ['postgres'],
  },
  'idle-channel': {
    kind: 'cost',
    about: 'A channel that is no longer written must not be walked further than its cadence allows.',
  },
} as const satisfies Readonly<Record<string, ScenarioFacts>>;
