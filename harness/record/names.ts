// The names that cases, options and reports are made of, and what each backend can do.
// Data only: a test pins every list to its implementations, so that the plan can be built without loading one.

import type { OwnSaver } from './own-modules.js';

/** How a thread's state is kept: every checkpoint whole, or changes plus periodic snapshots. */
export const MODES = ['full', 'delta'] as const;
export type Mode = (typeof MODES)[number];

/** Where LangGraph's savers store. */
export const BACKENDS = ['memory', 'sqlite', 'postgres'] as const;
/** `custom`: wherever a saver of the user's own does. */
export const ALL_BACKENDS = [...BACKENDS, 'custom'] as const;
export type Backend = (typeof ALL_BACKENDS)[number];

/** Message streams and their graphs; one file each in `fixtures/workloads`. */
export const WORKLOADS = ['append', 'chat-tools', 'edit', 'pipeline', 'multi-channel', 'files'] as const;
/** `custom`: a graph of the user's own, with its inputs. */
export const ALL_WORKLOADS = [...WORKLOADS, 'custom'] as const;
export type Workload = (typeof ALL_WORKLOADS)[number];

/** Agents behind the routes of a service; one file each in `fixtures/agents`. */
export const AGENT_WORKLOADS = ['agent', 'coding-session'] as const;
export type AgentWorkloadName = (typeof AGENT_WORKLOADS)[number];

/** How many compiled graphs a service keeps for reading threads, before it forgets them all. */
export const DEFAULT_ACCESSOR_GRAPHS = 64;

/** The history route gives no more entries in one page. */
export const MAX_HISTORY_LIMIT = 100;

/** How requests reach the routes of a service: a call in the process, or HTTP over loopback. */
export const TRANSPORTS = ['in-process', 'http'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** How compressible the generated text is: one letter, seeded English-like words, or seeded random characters. */
export const PAYLOAD_ENTROPIES = ['repeat', 'words', 'random'] as const;
export type PayloadEntropy = (typeof PAYLOAD_ENTROPIES)[number];

/**
 * What stands before the saver of a delta case: nothing, a cache of replay histories in the process or on a Redis server, or
 * a direct walk over the rows.
 */
export const HISTORY_CACHES = ['off', 'memory', 'redis', 'direct'] as const;
export type HistoryCacheName = (typeof HISTORY_CACHES)[number];

/** What a backend declares; the plan decides by it what is `not_applicable`. */
export interface BackendCapabilities {
  /** A store outlives its saver: it can be closed, reopened and read by another process. */
  readonly persistent: boolean;
  /** `inline`: every checkpoint row carries every channel value; `blobs`: one row per channel version. */
  readonly valueLayout: 'inline' | 'blobs';
  /** Its stores are schemas of a database server, not files. */
  readonly server: boolean;
  /** Its rows are in tables that a direct walk can read. */
  readonly directWalk: boolean;
  /** Packages that its saver needs beside LangGraph's own. */
  readonly packages: readonly string[];
}

export const BACKEND_CAPABILITIES: Readonly<Record<Backend, BackendCapabilities>> = {
  memory: { persistent: false, valueLayout: 'inline', server: false, directWalk: false, packages: [] },
  sqlite: {
    persistent: true,
    valueLayout: 'inline',
    server: false,
    directWalk: true,
    packages: ['@langchain/langgraph-checkpoint-sqlite', 'better-sqlite3'],
  },
  postgres: {
    persistent: true,
    valueLayout: 'blobs',
    server: true,
    directWalk: true,
    packages: ['@langchain/langgraph-checkpoint-postgres', 'pg'],
  },
  // Of a saver that says nothing else: what it stores and where is not looked at.
  custom: { persistent: true, valueLayout: 'blobs', server: false, directWalk: false, packages: [] },
};

/** What the backend of a case can do. */
export function capabilitiesOf({
  backend,
  custom_saver: own,
}: {
  readonly backend: Backend;
  readonly custom_saver?: OwnSaver | undefined;
}): BackendCapabilities {
  const known = BACKEND_CAPABILITIES[backend];
  return own === undefined ? known : { ...known, persistent: own.persistent };
}

/** Why a persistent store is needed, as the plan and the rows say it. */
export const NOT_PERSISTENT_REASON = 'not_applicable: the store lives inside the process that wrote it';

/** The calls of a saver that are metered, named as the fields of a row are. */
export const SAVER_METHODS = ['put', 'put_writes', 'get_tuple', 'list', 'get_delta_channel_history'] as const;
export type SaverMethod = (typeof SAVER_METHODS)[number];
