// What the plan must know of an agent without loading it: how large its thread grows, and how often that is stored.

import type { ProductionCase } from './case.js';
import { BACKEND_CAPABILITIES, type AgentWorkloadName } from './names.js';
import { COLD_SAMPLES, LOAD_SECONDS } from './sampling.js';

/** Bytes of envelope that LangChain's JSON puts around a message of an agent, in the mean. */
const MESSAGE_ENVELOPE_BYTES = 245;

interface AgentShape {
  /** Messages and tool calls of a turn, in the mean. */
  readonly messages: number;
  readonly toolCalls: number;
  /** Bytes of content of the messages of a turn, for `p` payload bytes. */
  readonly contentBytes: (p: number) => number;
  /** Bytes of files after so many turns. */
  readonly fileBytes: (p: number, turns: number) => number;
}

const SHAPES: Readonly<Record<AgentWorkloadName, AgentShape>> = {
  agent: { messages: 4, toolCalls: 1, contentBytes: (p) => 4 * p, fileBytes: () => 0 },
  'coding-session': {
    messages: 8.4,
    toolCalls: 3.2,
    // Question, answer, search result, a fifth of a large result, and what is said around calls.
    contentBytes: (p) => (2 + 6 + 125 / 5) * p + 180,
    fileBytes: (p, turns) => Math.min(40, 2 * turns) * 10 * p,
  },
};

interface AgentThread {
  readonly turns: number;
  /** Checkpoints of a turn in the mean: its input, one after each node, and one with its duration. */
  readonly checkpointsPerTurn: number;
  /** Writes of the messages in a turn. */
  readonly writesPerTurn: number;
  /** Every call of a tool is a Send, which holds the whole state: once as a write and once in the checkpoint. */
  readonly sendCopiesPerTurn: number;
  /** Bytes of the whole state after so many turns. */
  stateBytes(turns: number): number;
}

function agentThread(c: ProductionCase): AgentThread {
  const { messages, toolCalls, contentBytes, fileBytes } = SHAPES[c.workload];
  const p = c.payload_bytes;
  return {
    turns: c.updates,
    checkpointsPerTurn: 2 + 2 * (toolCalls + 1) + toolCalls + (c.duration_checkpoints ? 1 : 0),
    writesPerTurn: messages,
    sendCopiesPerTurn: 2 * toolCalls,
    stateBytes: (turns) =>
      turns * (contentBytes(p) + messages * MESSAGE_ENVELOPE_BYTES) + fileBytes(p, turns),
  };
}

/**
 * Expected bytes of a thread, an order of magnitude: in full mode the state at every checkpoint, or at every write where each
 * version is stored once; in delta mode at every snapshot; in both what Sends copy, and the writes.
 */
export function expectedAgentBytes(c: ProductionCase): number {
  const thread = agentThread(c);
  const stored = storedPerTurn(c, thread) + thread.sendCopiesPerTurn;
  return sumOverTurns(thread, (bytes) => stored * bytes) + thread.stateBytes(thread.turns);
}

/** How often a turn stores the whole state. */
function storedPerTurn(c: ProductionCase, { checkpointsPerTurn, writesPerTurn }: AgentThread): number {
  const versions =
    BACKEND_CAPABILITIES[c.backend].valueLayout === 'inline' ? checkpointsPerTurn : writesPerTurn;
  return c.snapshot_frequency === null ? versions : Math.min(versions, writesPerTurn / c.snapshot_frequency);
}

function sumOverTurns(thread: AgentThread, of: (stateBytes: number) => number): number {
  let sum = 0;
  for (let turn = 1; turn <= thread.turns; turn += 1) sum += of(thread.stateBytes(turn));
  return sum;
}

const CHILD_START_MS = 1500;
const DUMP_MS_PER_BYTE = 28e-6;
/** Loads of the state in a turn: by createAgent, and by LangGraph. */
const LOADS_PER_TURN = 2;

/** As in `expected-time.ts`, of which this is the like for agents. */
const COSTS = {
  inProcess: { checkpointMs: 2, loadMsPerByte: 90e-6, ancestorMs: 0.08 },
  onServer: { checkpointMs: 6, loadMsPerByte: 300e-6, ancestorMs: 1.4 },
} as const;

/** Expected wall time of a case in milliseconds: its turns, its reads in two processes and its load; an order of magnitude. */
export function expectedAgentMs(c: ProductionCase): number {
  const thread = agentThread(c);
  const { server, persistent } = BACKEND_CAPABILITIES[c.backend];
  const costs = COSTS[server ? 'onServer' : 'inProcess'];
  const turnsBack = turnsWalked(c, thread);
  const walkMs = turnsBack * thread.checkpointsPerTurn * costs.ancestorMs;
  const read = (stateBytes: number) => stateBytes * costs.loadMsPerByte + walkMs;
  const stored = storedPerTurn(c, thread) + thread.sendCopiesPerTurn;
  const running =
    thread.turns * thread.checkpointsPerTurn * costs.checkpointMs +
    sumOverTurns(thread, (bytes) => LOADS_PER_TURN * read(bytes) + stored * bytes * DUMP_MS_PER_BYTE);
  const checkpoints = thread.turns * thread.checkpointsPerTurn;
  const entries = 1 + c.history_limits.reduce((sum, limit) => sum + Math.min(limit, checkpoints), 0);
  const processes = persistent ? 2 : 1;
  const pages = processes * (COLD_SAMPLES + c.read_repetitions + 1) * entries;
  const asAssistants = c.assistants + Math.max(c.assistants, c.read_repetitions);
  const reading = (pages + asAssistants) * read(thread.stateBytes(thread.turns));
  const loaded = c.load === undefined ? 0 : 1000 * LOAD_SECONDS;
  return processes * CHILD_START_MS + running + reading + loaded;
}

/** How many turns a read walks back, in the mean; a cache or a direct walk costs about as much as one. */
function turnsWalked(
  { snapshot_frequency: k, history_cache: cache }: ProductionCase,
  { turns, writesPerTurn }: AgentThread,
): number {
  if (k === null) return 0;
  return cache === undefined ? Math.min(turns, k / writesPerTurn) / 2 : 1;
}
