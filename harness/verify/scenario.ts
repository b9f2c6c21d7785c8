// What a scenario is. A state scenario is a script on a stage: it drives threads through graphs and says at every step
// what the state must be, knowing it without LangGraph. A check scenario calls a saver's methods directly.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { Arbitrary } from 'fast-check';
import type { Backend, Mode } from '../record/names.js';
import type { SchemaPlace } from '../record/store-place.js';
import type { Cell, Reducer } from '../record/scenario-cell.js';
import type {
  CheckScenarioName,
  CrashScenarioName,
  GeneratedScenarioName,
  OwnScenarioName,
  StateScenarioName,
} from '../record/scenarios.js';
import type { WrapperName } from '../record/wrappers.js';
import type { OpenStore, RowEditor } from '../savers/saver.js';
import type { Expected } from './compare.js';
import type { Supersteps } from './supersteps.js';

/** Where a run or a read of a thread is directed. */
export interface RunConfig {
  readonly configurable: {
    readonly thread_id: string;
    readonly checkpoint_ns?: string;
    readonly checkpoint_id?: string;
  };
  readonly durability?: 'sync' | 'async' | 'exit';
  readonly recursionLimit?: number;
}

/** A state as `getState` and `getStateHistory` give it. */
export interface Snapshot {
  readonly values: unknown;
  readonly next: readonly string[];
  readonly config: RunConfig;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly parentConfig?: RunConfig | undefined;
  readonly tasks: readonly { readonly state?: unknown }[];
}

/** The part of a compiled graph that scenarios use. */
export interface ScenarioGraph {
  invoke(input: unknown, config: RunConfig): Promise<unknown>;
  getState(config: RunConfig, options?: { readonly subgraphs?: boolean }): Promise<Snapshot>;
  getStateHistory(
    config: RunConfig,
    options?: { readonly limit?: number; readonly before?: RunConfig },
  ): AsyncIterable<Snapshot>;
  updateState(config: RunConfig, values: unknown, asNode?: string): Promise<RunConfig>;
  bulkUpdateState(
    config: RunConfig,
    supersteps: readonly { readonly updates: readonly { values: unknown; asNode?: string }[] }[],
  ): Promise<RunConfig>;
}

/** With what a graph of a scenario is compiled. */
export interface GraphSettings {
  readonly saver: BaseCheckpointSaver;
  readonly mode: Mode;
  /** K; null in full mode. */
  readonly snapshotFrequency: number | null;
  readonly reducer: Reducer;
}

/** Which of the scenario's graphs, in which mode where it is not the cell's, and through which saver. */
export interface GraphChoice {
  /** Name among the scenario's graphs; `main` by default. */
  readonly graph?: string;
  readonly mode?: Mode;
  readonly snapshotFrequency?: number;
  /** A second saver on the same store, as another process has it. */
  readonly saver?: 'second';
}

/** A step: something happens to a thread, and then its head must be `expected`. */
export interface Step extends GraphChoice {
  /** Its name; unique within the scenario. */
  readonly step: string;
  /** What the checkpoint holds that is then the head, and what is returned live. */
  readonly expected: Expected;
  /** What an unpinned read gives and what is returned live, where the head has pending writes: LangGraph applies them. */
  readonly withPending?: Expected;
  /** The thread, `main` by default. */
  readonly thread?: string;
  /** Of a subgraph; the root's by default. */
  readonly namespace?: string;
  /** The step happens at this checkpoint, not at the head. */
  readonly at?: string;
  readonly durability?: RunConfig['durability'];
  /** What it is rebuilt from is gone: a `CheckpointAncestorMissingError` is as right as the state. */
  readonly refusable?: boolean;
  /** False where later steps delete its rows, so that it cannot be read again. */
  readonly lasting?: boolean;
}

export interface Turn extends Step {
  readonly input: unknown;
  /** The turn must throw; what is stored of it is still compared. */
  readonly throws?: boolean;
}

export interface Update extends Step {
  readonly values: unknown;
  readonly asNode?: string;
}

/** What a state scenario plays on. Every method that takes a step returns the id of the head after it. */
export interface Stage {
  readonly cell: Cell;
  readonly seed: number;
  /** Changes rows behind the saver, as retention jobs do. */
  readonly rows: RowEditor;
  readonly saver: BaseCheckpointSaver;
  graph(choice?: GraphChoice): ScenarioGraph;
  config(thread?: string): RunConfig;
  /** `invoke`, its value, and the head after it. */
  turn(turn: Turn): Promise<string>;
  /** A turn whose value, as it was returned live, is what must be there after it. */
  liveTurn(turn: Omit<Turn, 'expected' | 'withPending' | 'throws'>): Promise<string>;
  /** `updateState`, and the head after it. */
  update(update: Update): Promise<string>;
  /** The head as it stands or, with `at`, the state of that checkpoint. */
  check(step: Step): Promise<string>;
  /** A part of the script; what breaks it does not end the others. */
  scene(part: () => Promise<void>): Promise<void>;
  /** Any other value against what it must be; `expected` and `actual` are plain data. */
  compare(step: string, expected: Expected, actual: Expected['channels']): void;
}

export interface StateScenario {
  readonly name: StateScenarioName | GeneratedScenarioName | OwnScenarioName;
  readonly kind: 'state';
  /** The channels that are compared. */
  readonly channels: readonly string[];
  readonly graphs: Readonly<Record<string, (settings: GraphSettings) => ScenarioGraph>>;
  /** Of a graph that nothing is known of: its inputs. Its cells must agree with each other, ids that it makes aside. */
  readonly inputs?: readonly unknown[];
  run(stage: Stage): Promise<void>;
}

/** What a check scenario is given: a saver on an empty store. */
export interface CheckStage {
  readonly backend: Backend;
  readonly saver: BaseCheckpointSaver;
  readonly seed: number;
  readonly rows: RowEditor;
  /** What is below the saver, to count and to compare with. */
  readonly below: Pick<OpenStore, 'server' | 'openFloor'>;
  /** The module of the user's saver, for stores of its own beside that one; null for others. */
  readonly saverModule: string | null;
  /** What stands before the saver, to put it before others; and the Redis server that it may need. */
  readonly wrapper: { readonly name: WrapperName | null; readonly redisUrl: string | null };
  /** For stores of its own beside that one, on a backend with a server: what their schemas begin with. */
  readonly server: SchemaPlace | null;
  /** Asks something whose answer must be one of those; compared by canonical JSON. A call that throws answers `refused`. */
  readonly ask: (
    question: string,
    right: readonly unknown[],
    answer: () => Promise<unknown>,
  ) => Promise<void>;
}

export interface CheckScenario {
  readonly name: CheckScenarioName | OwnScenarioName;
  readonly kind: 'contract' | 'cost';
  run(stage: CheckStage): Promise<void>;
}

/** Threads that are made by a seed. A history is plain data. */
export interface GeneratedScenario<History = unknown> {
  readonly name: GeneratedScenarioName;
  readonly kind: 'generated';
  readonly histories: Arbitrary<History>;
  scenarioOf(history: History): StateScenario;
  /** The histories with one operation less. */
  shorter(history: History): History[];
  /** A file of `fixtures/scenarios` that plays it, line by line. */
  fileOf(history: History): string[];
}

/** A thread of turns, each adding names to the list `items`, whose writer is killed. */
export interface CrashScenario {
  readonly name: CrashScenarioName;
  readonly kind: 'crash';
  readonly kills: 'anywhere' | 'at calls';
  readonly build: (settings: GraphSettings) => ScenarioGraph;
  readonly input: (turn: string) => unknown;
  /** What each superstep of a turn adds, in the order in which it applies. */
  readonly supersteps: (turn: string) => Supersteps;
}

export type Scenario = StateScenario | GeneratedScenario | CrashScenario | CheckScenario;
