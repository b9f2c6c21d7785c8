// The Postgres server of a run, as the controller has it: through its keeper (harness/servers/keeper.ts), which loads the
// driver that the controller does not.

import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { CommandError } from '../record/errors.js';
import { hideSecretsOf, scrub } from '../record/scrub.js';
import type { SchemaPlace } from '../record/store-place.js';
import { EXIT } from '../record/verdict.js';
import { startCompanion } from './child.js';
import {
  keeperAnswerSchema,
  type KeeperAnswer,
  type KeeperOrder,
  type LeftoverSchema,
} from './postgres-messages.js';

const KEEPER = new URL('../servers/keeper.js', import.meta.url);
/** A keeper that was told to end drops what is left and stops its server. */
const END_TIMEOUT_MS = 30_000;

/** A server of a run, where stores are schemas. */
export interface DatabaseServer {
  /** Which one it is and its version, without who may enter it. */
  readonly name: string;
  /** The schema of a store, or what the names of several stores begin with. Not made here. */
  schemaOf(store: string): SchemaPlace;
  /**
   * Drops the schemas of a store, or one that another run has left; resolves to why it could not, as a sentence, or to null.
   * What a run's cases leave goes at its end, or shows in `doctor`.
   */
  drop(schema: Pick<SchemaPlace, 'schema'>): Promise<string | null>;
  /** Why it cannot be used any more, as a sentence; null while it can. */
  problem(): Promise<string | null>;
  /**
   * Schemas of runs that no longer go on, and that its role could drop.
   *
   * @throws CommandError (missing), one sentence, when the server does not tell.
   */
  leftovers(): Promise<readonly LeftoverSchema[]>;
  /** Drops everything that the run has made there and ends a server of its own. */
  stop(): Promise<void>;
}

/**
 * Starts a server in `folder`, or goes to the one that `uri` names.
 *
 * @throws CommandError (missing), one sentence, when it does not start or refuses.
 */
export async function startServer(uri: string | null, folder: string): Promise<DatabaseServer> {
  if (uri !== null) hideSecretsOf(uri);
  const runId = randomBytes(6).toString('hex');
  const keeper = new Keeper(startCompanion(KEEPER));
  keeper.send({ uri, folder, run_id: runId });
  const first = await keeper.first();
  if (first.kind !== 'ready') {
    const what = uri === null ? '' : 'The server of --postgres-uri (or TEST_POSTGRES_URI) cannot be used: ';
    throw new CommandError(sentenceOf(`${what}${first.problem}`), EXIT.missing);
  }
  hideSecretsOf(first.uri);
  const prefix = `deltaproof_${runId}`;
  return {
    name: first.server,
    schemaOf: (store) => ({
      uri: first.uri,
      schema: `${prefix}_${store.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`,
    }),
    drop: async ({ schema }) => {
      const { problem } = await keeper.order({ kind: 'drop', schema });
      return problem === null ? null : sentenceOf(problem);
    },
    problem: async () => {
      const problem = keeper.lost ?? (await keeper.order({ kind: 'ask' })).problem;
      return problem === null ? null : sentenceOf(problem);
    },
    leftovers: async () => {
      const { problem, leftovers } = await keeper.order({ kind: 'list_leftovers' });
      if (problem !== null) throw new CommandError(sentenceOf(problem), EXIT.missing);
      return leftovers;
    },
    stop: () => keeper.end(),
  };
}

/** What a driver or a server says, without secrets. */
function sentenceOf(text: string): string {
  const scrubbed = scrub(text);
  return /[.!?]$/.test(scrubbed) ? scrubbed : `${scrubbed}.`;
}

type Refusal = Extract<KeeperAnswer, { kind: 'ready' | 'refused' | 'lost' }>;

/** What came of an order: why it was not carried out, or what it asked for. */
type Outcome = Pick<Extract<KeeperAnswer, { kind: 'done' }>, 'problem' | 'leftovers'>;

type Unnumbered<Order> = Order extends unknown ? Omit<Order, 'number'> : never;

class Keeper {
  readonly #stdin: Writable;
  readonly #waiting = new Map<number, (outcome: Outcome) => void>();
  readonly #first: Promise<Refusal>;
  #lost: string | null = null;
  readonly #ended: Promise<void>;
  #orders = 0;

  constructor({ stdin, stdout }: ReturnType<typeof startCompanion>) {
    this.#stdin = stdin;
    const lines = createInterface({ input: stdout });
    this.#first = new Promise((resolve) => {
      lines.on('line', (line) => {
        const answer = keeperAnswerSchema.parse(JSON.parse(line));
        if (answer.kind === 'done') this.#answered(answer.number, answer);
        else resolve(answer);
        if (answer.kind === 'lost') this.#lost ??= answer.problem;
      });
      lines.once('close', () => resolve({ kind: 'lost', problem: GONE }));
    });
    this.#ended = new Promise((resolve) => {
      lines.once('close', () => {
        this.#lost ??= GONE;
        for (const number of this.#waiting.keys()) this.#answered(number, NOT_DONE);
        resolve();
      });
    });
  }

  /** Why the server is gone, where it is known to be. */
  get lost(): string | null {
    return this.#lost;
  }

  first(): Promise<Refusal> {
    return held(this.#first);
  }

  send(line: object): void {
    this.#stdin.write(`${JSON.stringify(line)}\n`);
  }

  async order(order: Unnumbered<KeeperOrder>): Promise<Outcome> {
    if (this.#lost === GONE) return NOT_DONE;
    const number = ++this.#orders;
    const answered = new Promise<Outcome>((resolve) => void this.#waiting.set(number, resolve));
    this.send({ ...order, number });
    return held(answered);
  }

  async end(): Promise<void> {
    this.#stdin.end();
    const timeout = new Promise<void>((resolve) => void setTimeout(resolve, END_TIMEOUT_MS).unref());
    await held(Promise.race([this.#ended, timeout]));
  }

  #answered(number: number, outcome: Outcome): void {
    this.#waiting.get(number)?.(outcome);
    this.#waiting.delete(number);
  }
}

const GONE = 'The keeper of the Postgres server has ended.';
const NOT_DONE: Outcome = { problem: GONE, leftovers: [] };

/** The keeper's pipes do not keep this process alive; what waits for it does. */
async function held<T>(answer: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 60_000);
  try {
    return await answer;
  } finally {
    clearInterval(timer);
  }
}
