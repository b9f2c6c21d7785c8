// What commands that run a plan have in common on their command line.

import { CommandError, usageError } from '../../harness/record/errors.js';
import type { OpenMode } from '../../harness/record/journal.js';
import {
  BACKEND_CAPABILITIES,
  type Backend,
  type HistoryCacheName,
  type Mode,
} from '../../harness/record/names.js';
import { hideSecretsOf } from '../../harness/record/scrub.js';
import { EXIT } from '../../harness/record/verdict.js';
import type { OptionValues } from './option-values.js';

/** More at a time than any machine has use for. */
export const MAX_JOBS = 256;

/** Node's timers hold 2^31 - 1 milliseconds; a longer one fires at once. */
export const MAX_TIMER_SECONDS = 2_147_483;

/** Without a server, and without anything to start. */
export const BACKENDS_BY_DEFAULT = ['memory', 'sqlite'] as const;

/** The names that an option lists or, where it was not given, those by default. */
export function chosenOr<T extends string>(
  values: OptionValues,
  option: string,
  known: readonly T[],
  byDefault: readonly T[],
): readonly T[] {
  return values.optionalText(option) === null ? byDefault : values.names(option, known);
}

/** Declares an option with a value. */
export function text(group: string, describe: string, byDefault?: string) {
  return {
    type: 'string',
    group,
    describe,
    ...(byDefault === undefined ? {} : { default: byDefault }),
  } as const;
}

/** Declares an option without a value. */
export function flag(group: string, describe: string) {
  return { type: 'boolean', group, describe } as const;
}

/** Where a server is told of that is not to be on a command line. */
const URI_VARIABLE = 'TEST_POSTGRES_URI';

export const POSTGRES_URI_OPTION = text(
  'Files',
  `Postgres server to use [default: ${URI_VARIABLE}, or one of this run's own]`,
);

/**
 * The server that the user names; null: the run starts one. A value that is none is not repeated, as it may be a secret.
 */
export function readPostgresUri(values: OptionValues): string | null {
  const given = values.optionalText('postgres-uri');
  const uri = given ?? process.env[URI_VARIABLE] ?? '';
  if (uri === '') return null;
  if (/^postgres(?:ql)?:\/\/[^\s]+$/.test(uri)) return uri;
  const what = given === null ? URI_VARIABLE : '--postgres-uri';
  throw usageError(`${what} is not a URI of the form postgresql://user:password@host:port/database.`);
}

/** Where a server is told of that is not to be on a command line. */
const REDIS_VARIABLE = 'TEST_REDIS_URL';

export const REDIS_URL_OPTION = text(
  'Files',
  `Redis server of the shared history cache [default: ${REDIS_VARIABLE}]`,
);

/**
 * The Redis server that the user names; null where none is needed. A value that is none is not repeated.
 *
 * @param isNeeded whether something in the plan needs one.
 */
export function readRedisUrl(values: OptionValues, isNeeded: boolean): string | null {
  if (!isNeeded) return null;
  const given = values.optionalText('redis-url');
  const url = given ?? process.env[REDIS_VARIABLE] ?? '';
  if (url === '') {
    throw new CommandError(
      `The shared history cache needs a Redis server: name one with --redis-url redis://host:port or ${REDIS_VARIABLE}, for example after redis-server --save ''.`,
      EXIT.missing,
    );
  }
  if (!/^rediss?:\/\/[^\s]+$/.test(url) || !URL.canParse(url)) {
    throw usageError(
      `${given === null ? REDIS_VARIABLE : '--redis-url'} is not a URL of the form redis://user:password@host:port.`,
    );
  }
  hideSecretsOf(url);
  return url;
}

/** What `--resume` (or `--resume-across`) and `--overwrite` say. Throws CommandError (usage) when they do not go together. */
export function readOpenMode(values: OptionValues): OpenMode {
  const resume = values.flag('resume') || values.flag('resume-across');
  const overwrite = values.flag('overwrite');
  if (resume && overwrite) throw usageError('--resume and --overwrite exclude each other.');
  if (resume && values.optionalText('output') === null) {
    throw usageError('--resume needs --output: the journal to complete.');
  }
  if (resume) return 'resume';
  return overwrite ? 'overwrite' : 'new';
}

/**
 * Warns of histories that no mode has.
 *
 * @throws CommandError (usage) where a direct walk is asked for and no backend has tables.
 */
export function checkHistoryCaches(
  {
    modes,
    backends,
    historyCaches,
  }: {
    readonly modes: readonly Mode[];
    readonly backends: readonly Backend[];
    readonly historyCaches: readonly HistoryCacheName[];
  },
  { warnings }: OptionValues,
): void {
  if (!modes.includes('delta') && historyCaches.some((cache) => cache !== 'off'))
    warnings.push('--history-cache is for delta, which is not among --modes.');
  if (!historyCaches.includes('direct')) return;
  if (backends.some((backend) => BACKEND_CAPABILITIES[backend].directWalk)) return;
  throw usageError('--history-cache direct reads tables: it needs --backends sqlite or postgres.');
}
