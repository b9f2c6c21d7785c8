// The stage that state scenarios play on: takes every step's witnesses in the process that writes, and notes the steps
// so that others can read them again.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { StateRecord } from '../record/digest.js';
import type { Cell } from '../record/scenario-cell.js';
import type { Finding, Witness } from '../record/scenario-row.js';
import type { OpenStore, RowEditor } from '../savers/saver.js';
import { CallLog, RecordedSaver } from '../savers/recorded.js';
import { callFindings } from './calls.js';
import { compareStates, errorSignature, nameElements, type Expected } from './compare.js';
import { choiceOf, compileGraph, readOf } from './compile.js';
import { evidenceOf } from './evidence.js';
import type { Live, Played, PlayedStep } from './played.js';
import { isRefusal } from './refusal.js';
import type {
  GraphChoice,
  RunConfig,
  ScenarioGraph,
  Stage,
  StateScenario,
  Step,
  Turn,
  Update,
} from './scenario.js';
import { stateOf } from './state-of.js';

/** Ends the script of a cell: the thread is not what the next step builds on. */
class SceneBroken extends Error {}

/** No script comes near it; a long chain of nodes is a long run of supersteps. */
const RECURSION_LIMIT = 20_000;

/**
 * Plays a scenario in one cell on a fresh store. What the script did not expect is a finding.
 *
 * @throws the error of the machine where there is no room for a store, or its disk fails.
 */
export async function playCell(
  scenario: StateScenario,
  cell: Cell,
  store: OpenStore,
  seed: number,
): Promise<Played> {
  const log = new CallLog();
  const stage = new PlayedStage(scenario, cell, recordedStore(store, log), seed);
  try {
    await scenario.run(stage);
  } catch (error) {
    if (!(error instanceof SceneBroken)) stage.find('script', 'live', errorSignature(error), null);
  }
  const played = await stage.played();
  const found = callFindings(scenario, cell, log.calls);
  return { ...played, findings: [...played.findings, ...found], comparisons: played.comparisons + 1 };
}

function recordedStore(store: OpenStore, log: CallLog): OpenStore {
  return {
    ...store,
    saver: new RecordedSaver(store.saver, log),
    second: () => ({ saver: new RecordedSaver(store.second().saver, log) }),
  };
}

class PlayedStage implements Stage {
  readonly cell: Cell;
  readonly seed: number;
  readonly rows: RowEditor;
  readonly saver: BaseCheckpointSaver;
  readonly #scenario: StateScenario;
  readonly #store: OpenStore;
  /** One for every choice, as a server has it: what its nodes keep lives as long as the cell. */
  readonly #graphs = new Map<string, ScenarioGraph>();
  readonly #steps: PlayedStep[] = [];
  readonly #lives = new Map<string, Live>();
  /** Told when they are made; what the rows were then is looked up meanwhile. */
  readonly #findings: Promise<Finding>[] = [];
  /** Steps whose rows stand beside a finding; once each is enough. */
  readonly #evidenced = new Set<string>();
  #comparisons = 0;

  constructor(scenario: StateScenario, cell: Cell, store: OpenStore, seed: number) {
    this.#scenario = scenario;
    this.#store = store;
    this.cell = cell;
    this.seed = seed;
    this.rows = store.rows;
    this.saver = store.saver;
  }

  graph(choice: GraphChoice = {}): ScenarioGraph {
    const key = JSON.stringify(choiceOf(choice));
    const known = this.#graphs.get(key);
    if (known !== undefined) return known;
    const { saver } = choice.saver === 'second' ? this.#store.second() : this.#store;
    const graph = compileGraph(this.#scenario, this.cell, saver, choice);
    this.#graphs.set(key, graph);
    return graph;
  }

  async scene(part: () => Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      if (!(error instanceof SceneBroken)) throw error;
    }
  }

  config(thread = 'main'): RunConfig {
    return { configurable: { thread_id: thread }, recursionLimit: RECURSION_LIMIT };
  }

  async turn(turn: Turn): Promise<string> {
    const live = await this.#live(turn);
    this.#lives.set(turn.step, live);
    if ('throws' in live) {
      if (turn.refusable === true && live.isRefusal) this.#refused(live.throws);
      if (turn.throws !== true) this.#broken(turn, live.throws);
      return this.#head(turn);
    }
    if (turn.throws === true) this.#broken(turn, 'does not throw');
    this.#compare(turn, 'live', turn.withPending ?? turn.expected, live.state);
    return this.#head(turn);
  }

  async liveTurn(turn: Parameters<Stage['liveTurn']>[0]): Promise<string> {
    const live = await this.#live({ ...turn, expected: { channels: {} } });
    this.#lives.set(turn.step, live);
    if ('throws' in live) return this.#broken({ ...turn, expected: { channels: {} } }, live.throws);
    return this.#head({ ...turn, expected: { channels: live.state } });
  }

  async update(update: Update): Promise<string> {
    try {
      await this.graph(update).updateState(this.#at(update), update.values, update.asNode);
    } catch (error) {
      this.#broken(update, errorSignature(error));
    }
    return this.#head(update);
  }

  async check(step: Step): Promise<string> {
    const { thread = 'main', namespace = '', at } = step;
    const asHead = at === undefined ? (step.withPending ?? step.expected) : step.expected;
    const note = (checkpointId: string) =>
      this.#steps.push({
        step: step.step,
        choice: choiceOf(step),
        threadId: thread,
        namespace,
        checkpointId,
        expected: nameElements(step.expected),
        expectedAsHead: nameElements(asHead),
        head: at === undefined,
        lasting: step.lasting ?? true,
        refusable: step.refusable ?? false,
      });
    const snapshot = await this.graph(step)
      .getState({ configurable: readOf(thread, namespace, at) })
      .catch((error: unknown) => {
        if (step.refusable === true && isRefusal(error)) {
          note('');
          return this.#refused(error);
        }
        return this.#broken(step, errorSignature(error), 'head');
      });
    const checkpointId = at ?? snapshot.config.configurable.checkpoint_id ?? '';
    note(checkpointId);
    this.#compare(step, 'head', asHead, stateOf(snapshot.values, this.#scenario.channels));
    return checkpointId;
  }

  compare(step: string, expected: Expected, actual: StateRecord): void {
    this.#compare({ step }, 'head', expected, actual);
  }

  find(
    step: string,
    witness: Witness,
    signature: string,
    shown: { readonly expected: string; readonly actual: string } | null,
    { thread: threadId = 'main', namespace = '' }: Pick<Step, 'thread' | 'namespace'> = {},
  ): void {
    const { cell } = this;
    const { expected = '', actual = '' } = shown ?? {};
    const isFirst = !this.#evidenced.has(step);
    this.#evidenced.add(step);
    const looked = isFirst ? evidenceOf(this.#store, { threadId, namespace }, null) : Promise.resolve([]);
    this.#findings.push(
      looked.then((evidence) => ({ cell, step, witness, signature, expected, actual, evidence })),
    );
  }

  async played(): Promise<Played> {
    return {
      steps: this.#steps,
      lives: this.#lives,
      findings: await Promise.all(this.#findings),
      comparisons: this.#comparisons,
    };
  }

  async #live(turn: Turn): Promise<Live> {
    try {
      const value = await this.graph(turn).invoke(turn.input, this.#at(turn));
      return {
        state: stateOf(value, this.#scenario.channels),
        parallel: turn.expected.parallel ?? [],
      };
    } catch (error) {
      return { throws: errorSignature(error), isRefusal: isRefusal(error) };
    }
  }

  /** What a step has made the head. */
  #head(step: Step): Promise<string> {
    const { at, ...atHead } = step;
    return this.check(at === undefined ? step : atHead);
  }

  #at({ thread, at, durability }: Step): RunConfig {
    const { configurable, ...config } = this.config(thread);
    return {
      ...config,
      ...(durability === undefined ? {} : { durability }),
      configurable: {
        ...configurable,
        ...(at === undefined ? {} : { checkpoint_ns: '', checkpoint_id: at }),
      },
    };
  }

  #compare(
    at: Pick<Step, 'step' | 'thread' | 'namespace'>,
    witness: Witness,
    expected: Expected,
    actual: StateRecord,
  ): void {
    this.#comparisons += 1;
    const difference = compareStates(nameElements(expected), actual);
    if (difference !== null) this.find(at.step, witness, difference.signature, difference, at);
  }

  #refused(why: unknown): never {
    this.#comparisons += 1;
    throw new SceneBroken('The read was refused.', { cause: why });
  }

  #broken(at: Step, signature: string, witness: Witness = 'live'): never {
    this.#comparisons += 1;
    this.find(at.step, witness, signature, null, at);
    throw new SceneBroken(signature);
  }
}
