// Defects of released packages in how savers keep, order and find rows.

import type { KnownDefect, Sighting } from './known-defect.js';
import type { Backend } from './names.js';
import { AFTER_EXIT } from './scenario-facts.js';

const LANGGRAPH = '@langchain/langgraph';
const CHECKPOINT = '@langchain/langgraph-checkpoint';
const SQLITE = '@langchain/langgraph-checkpoint-sqlite';
const POSTGRES = '@langchain/langgraph-checkpoint-postgres';
const EVERYWHERE: readonly Backend[] = ['memory', 'sqlite', 'postgres'];
/** Savers of databases, which order writes by a statement. */
const ON_SQLITE = { backends: ['sqlite'], packages: { [SQLITE]: '<=1.0.4' } } as const;
const ON_POSTGRES = { backends: ['postgres'], packages: { [POSTGRES]: '<=1.0.5' } } as const;
const DATABASES = [ON_SQLITE, ON_POSTGRES];
/** What stands before a saver and leaves the order of writes as it is. */
const UNORDERED = [null, 'unique-versions', 'history-cache', 'redis-history-cache'] as const;
/** What puts writes in order, as far as their ids tell it. */
const ORDERING = ['ordered', 'direct-walk', 'cached-direct-walk'] as const;
/** What takes a chain that breaks off for one that ends. */
const UNCHECKED = [null, 'ordered', 'unique-versions'] as const;

export const DEFECTS_OF_SAVERS: readonly KnownDefect[] = [
  {
    id: 'L1',
    what: 'Writes of parallel tasks replay in the order of task ids, not in the order in which they were applied; the next turn stores the wrong order',
    packages: { [LANGGRAPH]: '>=1.5.0 <=1.7.3' },
    sightings: DATABASES.flatMap((database): Sighting[] => [
      {
        ...database,
        scenarios: [
          'fan-out',
          'fan-out-join',
          'send',
          'error-retry',
          'bulk-update',
          'agent-tools',
          'saver-fails',
        ],
        modes: ['delta'],
        fromFrequency: 2,
        wrappers: UNORDERED,
        signature: /(?:items|messages): order within a superstep/,
      },
      {
        ...database,
        scenarios: ['histories'],
        modes: ['delta'],
        fromFrequency: 2,
        wrappers: UNORDERED,
        signature: /(?:(?:; )?(?:items|messages): order within a superstep){1,2}/,
      },
      {
        ...database,
        scenarios: ['killed-anywhere', 'killed-at-calls'],
        modes: ['delta'],
        wrappers: UNORDERED,
        signature: 'items: order within a superstep',
      },
      {
        // The ids of a run that is stored at its end do not tell the order of its parallel tasks.
        ...database,
        scenarios: ['histories', 'killed-anywhere', 'killed-at-calls'],
        modes: ['delta'],
        wrappers: ORDERING,
        steps: new RegExp(`.*${AFTER_EXIT}(?:, .*)?`),
        signature: /(?:(?:; )?(?:items|messages): order within a superstep){1,2}/,
      },
      {
        ...database,
        scenarios: ['fan-out', 'saver-fails'],
        modes: ['delta'],
        fromFrequency: 2,
        wrappers: ORDERING,
        steps: /exit, .*/,
        signature: 'items: order within a superstep',
      },
      {
        // What parallel tasks of a graph of one's own have written; which elements they are is not known.
        ...database,
        scenarios: ['own-graph'],
        modes: ['delta'],
        fromFrequency: 2,
        wrappers: UNORDERED,
        signature: /(?:(?:; )?[^:;]+: order)+/,
      },
      {
        ...database,
        scenarios: ['own-graph'],
        modes: ['delta'],
        fromFrequency: 2,
        wrappers: ORDERING,
        steps: /exit, .*/,
        signature: /(?:(?:; )?[^:;]+: order)+/,
      },
      { ...database, scenarios: ['write-order'], signature: 'answers ["c1","c2","b1","b2","a1","a2"]' },
    ]),
    upstream: 'https://github.com/langchain-ai/langgraph/issues/8382',
    advice:
      'Put OrderedSaver of deltaproof/savers before the saver; it orders all but runs with durability: exit. Or let no parallel tasks write one delta channel whose order matters, or store a snapshot each update (K=1).',
  },
  {
    id: 'L4',
    what: 'putWrites without checkpoint_ns stores nothing and says nothing',
    packages: { [SQLITE]: '<=1.0.4' },
    sightings: [
      {
        scenarios: ['missing-namespace'],
        backends: ['sqlite'],
        steps: 'putWrites without checkpoint_ns',
        signature: 'answers "lost"',
      },
    ],
    upstream: null,
    advice: 'Give checkpoint_ns with every config, the empty text for the root.',
  },
  {
    id: 'L9',
    what: 'A second putWrites under the same task and position is dropped even where it differs',
    packages: { [CHECKPOINT]: '<=1.2.2' },
    sightings: [
      {
        scenarios: ['repeated-write'],
        backends: EVERYWHERE,
        steps: 'another write in its place',
        signature: 'answers ["first"]',
      },
    ],
    upstream: null,
    advice: 'Make nodes that may be run twice return the same, or run them in a branch of their own.',
  },
  {
    id: 'L16',
    what: 'A walk whose ancestor was deleted is not refused: the state is short, and the next turn stores it so',
    packages: { [CHECKPOINT]: '<=1.2.2' },
    sightings: [
      {
        scenarios: ['keep-latest'],
        backends: EVERYWHERE,
        wrappers: UNCHECKED,
        modes: ['delta'],
        steps: /after the delete|next turn/,
        signature: 'items: missing[t1,t2,t3,t4,t5]',
      },
      {
        scenarios: ['keep-newest'],
        backends: EVERYWHERE,
        wrappers: UNCHECKED,
        modes: ['delta'],
        steps: /after the delete|next turn/,
        signature: 'items: missing[t1,t2,t3,t4]',
      },
      {
        scenarios: ['delete-oldest-half'],
        backends: EVERYWHERE,
        wrappers: UNCHECKED,
        modes: ['delta'],
        steps: /after the delete|next turn/,
        signature: 'items: missing[t1,t2,t3]',
      },
      {
        scenarios: ['missing-ancestor'],
        backends: EVERYWHERE,
        wrappers: UNCHECKED,
        steps: 'without its first checkpoint',
        signature: 'answers ["w2"]',
      },
    ],
    upstream: null,
    advice:
      'Delete whole threads only, or nothing between a head and its nearest snapshot. CachedHistorySaver and DirectWalkSaver of deltaproof/runtime refuse such a read.',
  },
  {
    id: 'L18',
    what: 'Savers differ in what list() and ids mean: limit 0, a checkpoint_id, keys with a dot, filters by objects; a number or a lone surrogate as thread id becomes another id; an empty one lists all threads; U+0000 in metadata is refused',
    packages: { [CHECKPOINT]: '<=1.2.2' },
    sightings: [
      {
        scenarios: ['list'],
        ...ON_SQLITE,
        steps: /limit 0|by checkpoint_id/,
        signature: 'answers [4,3,2,1]',
      },
      { scenarios: ['list'], ...ON_SQLITE, steps: 'by a key with a dot', signature: 'answers []' },
      {
        scenarios: ['list'],
        backends: ['memory'],
        steps: 'by an object of the metadata',
        signature: 'answers []',
      },
      {
        scenarios: ['hostile-ids'],
        ...ON_SQLITE,
        steps: /a number as thread id|a lone surrogate in the thread id/,
        signature: 'answers "comes back under another id"',
      },
      {
        scenarios: ['hostile-ids'],
        ...ON_POSTGRES,
        steps: /a number as thread id|an empty thread id|a lone surrogate in the thread id/,
        signature: 'answers "comes back under another id"',
      },
      {
        scenarios: ['hostile-ids'],
        ...ON_POSTGRES,
        steps: 'U+0000 in metadata',
        signature: 'throws[error: unsupported Unicode escape sequence]',
      },
    ],
    upstream: null,
    advice: 'Use plain texts as thread ids, and filters by texts and numbers alone.',
  },
  {
    id: 'L19',
    what: 'A delta channel that is no longer written is walked three ancestors further with every turn, whatever its cadence',
    packages: { [LANGGRAPH]: '<=1.7.3' },
    sightings: [
      {
        scenarios: ['idle-channel'],
        backends: ['sqlite', 'postgres', 'custom'],
        signature: 'answers [29,59,89]',
      },
    ],
    upstream: null,
    advice: 'Write an empty update to idle channels now and then: it counts as one.',
  },
  {
    id: 'L26',
    what: 'deleteThread on a database that no saver has used yet throws: the tables are made by every other method',
    packages: { [SQLITE]: '<=1.0.4' },
    sightings: [
      {
        scenarios: ['fresh-store'],
        backends: ['sqlite'],
        steps: 'deleteThread',
        signature: 'throws[SqliteError: no such table: checkpoints]',
      },
      {
        scenarios: ['histories'],
        backends: ['sqlite'],
        steps: 'script',
        signature: 'throws[SqliteError: no such table: checkpoints]',
      },
    ],
    upstream: null,
    advice: 'Read something, such as getTuple of any thread, before the first deleteThread.',
  },
  {
    id: 'L24',
    what: 'A checkpoint holds the values of all channels, not only of those that newVersions names',
    packages: { [SQLITE]: '<=1.0.4' },
    sightings: [
      {
        scenarios: ['conformance'],
        backends: ['sqlite'],
        steps:
          'SqliteSaver > SqliteSaver#put > should only store channel_values that have changed (based on newVersions)',
        signature: /answers "failed: .*"/,
      },
    ],
    upstream: 'https://github.com/langchain-ai/langgraphjs/issues/594',
    advice: 'Nothing reads wrong for it; it costs bytes, which deltaproof channels measures.',
  },
];
