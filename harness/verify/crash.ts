// A writer that is killed again and again on one store: at every start what it finds is held against what it had
// acknowledged before, then it goes on with other settings until the next kill.

import { createHash } from 'node:crypto';
import type { Mode } from '../record/names.js';
import type { Cell } from '../record/scenario-cell.js';
import { AFTER_EXIT } from '../record/scenario-facts.js';
import type { Finding, Witness } from '../record/scenario-row.js';
import type { OpenStore } from '../savers/saver.js';
import { compareStates, nameElements } from './compare.js';
import { readOf } from './compile.js';
import type { CrashLedger } from './crash-ledger.js';
import { evidenceOf } from './evidence.js';
import { KillsAtCall, killAfter } from './kill.js';
import type { CrashScenario, RunConfig, ScenarioGraph } from './scenario.js';
import { stateOf } from './state-of.js';
import { superstepsIn, type Supersteps } from './supersteps.js';

export interface CrashStart {
  readonly scenario: CrashScenario;
  readonly cell: Cell;
  readonly store: OpenStore;
  /** Outlives the process, as the store does. */
  readonly ledger: CrashLedger;
  readonly seed: number;
  /** Called with each finding when it is made: the process may be killed right after. */
  readonly onFinding: (finding: Finding) => void;
}

const THREAD = 'main';
const CADENCES = [1, 2, 3, 10, 1000] as const;
const DURABILITIES = ['async', 'sync', 'exit'] as const;

/** Looks at the store, then writes until this process is killed. */
export async function writeUntilKilled(start: CrashStart): Promise<never> {
  const { scenario, cell, store, ledger, seed } = start;
  const settings = drawn(seed, ledger.owed.starts, cell);
  const saver =
    scenario.kills === 'at calls'
      ? new KillsAtCall(store.saver, settings.killCall, settings.killsBefore)
      : store.saver;
  const thread = new CrashedThread(start, saver, settings);
  await thread.look();
  if (scenario.kills === 'anywhere') killAfter(settings.killMs);
  if (settings.resumes) await thread.resume();
  for (;;) await thread.turn();
}

/** Looks a last time, and whether the thread still goes on. */
export async function lookAfterKills(start: CrashStart): Promise<void> {
  const thread = new CrashedThread(
    start,
    start.store.saver,
    drawn(start.seed, start.ledger.owed.starts, start.cell),
  );
  await thread.look();
  await thread.turn();
  await thread.look();
}

interface Settings {
  /** In a delta cell the first starts can be in full mode, from which delta takes over. */
  readonly mode: Mode;
  readonly snapshotFrequency: number;
  readonly durability: (typeof DURABILITIES)[number];
  /** Whether a turn that was cut short is run to its end, or given up for the next one. */
  readonly resumes: boolean;
  readonly killMs: number;
  readonly killCall: number;
  readonly killsBefore: boolean;
}

/** By the seed and how many starts there were. */
function drawn(seed: number, starts: number, { mode }: Cell): Settings {
  const startsInFull = createHash('sha256').update(String(seed)).digest().readUInt8() % 3;
  const bytes = createHash('sha256').update(`${seed}/${starts}`).digest();
  const pick = <T>(position: number, list: readonly T[]) =>
    list[bytes.readUInt8(position) % list.length] as T;
  return {
    mode: starts < startsInFull ? 'full' : mode,
    snapshotFrequency: pick(0, CADENCES),
    durability: pick(1, DURABILITIES),
    resumes: pick(2, [true, false]),
    killMs: bytes.readUInt8(3),
    killCall: 1 + (bytes.readUInt8(4) % 64),
    killsBefore: pick(5, [true, false]),
  };
}

/** The thread as one start of the writer has it. */
class CrashedThread {
  readonly #start: CrashStart;
  readonly #graph: ScenarioGraph;
  readonly #config: RunConfig;

  constructor(start: CrashStart, saver: OpenStore['saver'], settings: Settings) {
    const { mode, snapshotFrequency, durability } = settings;
    this.#start = start;
    this.#config = { configurable: { thread_id: THREAD }, durability };
    this.#graph = start.scenario.build({
      saver,
      mode,
      snapshotFrequency: mode === 'full' ? null : snapshotFrequency,
      reducer: start.cell.reducer,
    });
  }

  /** What the store holds must be all that is owed, and of a turn in flight whole supersteps; that is gone on from. */
  async look(): Promise<void> {
    const { ledger } = this.#start;
    const owed = ledger.owed;
    const step = this.#named(`start ${owed.starts + 1}`);
    const head = await this.#graph.getState({ configurable: readOf(THREAD, '') });
    const id = head.config.configurable.checkpoint_id;
    const atHead =
      id === undefined ? head : await this.#graph.getState({ configurable: readOf(THREAD, '', id) });
    const found = elementsOf(atHead.values);
    const done = superstepsIn(found, owed.elements, owed.inFlight);
    await this.#compare(
      step,
      'fresh_pinned',
      [...owed.elements, ...owed.inFlight.slice(0, done).flat()],
      found,
    );
    // Unpinned, what tasks of the superstep had finished that was cut short is there as well.
    const unpinned = elementsOf(head.values);
    const finished = (owed.inFlight[done] ?? []).filter((name) => unpinned.includes(name));
    await this.#compare(step, 'fresh_last', [...found, ...finished], unpinned);
    const rest = head.next.length > 0 ? owed.inFlight.slice(done) : [];
    ledger.append({ event: 'found', elements: found, rest });
  }

  /** Runs what is left of a turn that was cut short; nothing where nothing of it was stored. */
  async resume(): Promise<void> {
    const { rest } = this.#start.ledger.owed;
    if (rest.length > 0) await this.#acknowledged('rest', rest, null);
  }

  async turn(): Promise<void> {
    const { scenario, ledger } = this.#start;
    const name = turnName(ledger.owed.turns + 1);
    await this.#acknowledged('turn', scenario.supersteps(name), scenario.input(name));
  }

  async #acknowledged(what: 'turn' | 'rest', inFlight: Supersteps, input: unknown): Promise<void> {
    const { ledger } = this.#start;
    ledger.append({ event: 'began', what, supersteps: inFlight });
    const live = elementsOf(await this.#graph.invoke(input, this.#config));
    const { elements, turns } = ledger.owed;
    await this.#compare(this.#named(`turn ${turns}`), 'live', [...elements, ...inFlight.flat()], live);
    ledger.append({ event: 'acknowledged' });
  }

  /** A run that is stored at its end can lose the order of parallel tasks, and what comes after it keeps that. */
  #named(step: string): string {
    const { seed, cell, ledger } = this.#start;
    const starts = Array.from({ length: ledger.owed.starts + 1 }, (_, index) => drawn(seed, index, cell));
    return starts.some(({ durability }) => durability === 'exit') ? `${step}${AFTER_EXIT}` : step;
  }

  async #compare(
    step: string,
    witness: Witness,
    expected: readonly string[],
    actual: readonly string[],
  ): Promise<void> {
    const { scenario, cell, store, ledger, onFinding } = this.#start;
    const names = Array.from({ length: ledger.owed.turns }, (_, index) => turnName(index + 1));
    const parallel = names.flatMap((name) => scenario.supersteps(name)).filter(({ length }) => length > 1);
    const difference = compareStates(nameElements({ channels: { items: expected }, parallel }), {
      items: actual,
    });
    if (difference === null) return;
    const evidence = await evidenceOf(store, { threadId: THREAD, namespace: '' }, null);
    onFinding({ cell, step, witness, evidence, ...difference });
  }
}

function turnName(ordinal: number): string {
  return `t${ordinal}`;
}

function elementsOf(values: unknown): string[] {
  const { items } = stateOf(values, ['items']);
  return Array.isArray(items) ? items.map(String) : [];
}
