// Whether each backend that was asked for opens, keeps a checkpoint and gives it back. A child tries each, since drivers
// and addons can end the process that loads them.

import { guardFolder, runChild, type ChildRun } from '../../../harness/process/child.js';
import { openTask, type OpenReport } from '../../../harness/process/doctor-messages.js';
import { startServer, type DatabaseServer } from '../../../harness/process/postgres-server.js';
import { makeWorkFolder, type WorkFolder } from '../../../harness/process/work-folder.js';
import { endedBadly, type UnusableEnding } from '../../../harness/controller/endings.js';
import { installedFolder, packagesUnderTest } from '../../../harness/record/environment.js';
import { CommandError } from '../../../harness/record/errors.js';
import { BACKEND_CAPABILITIES, type Backend } from '../../../harness/record/names.js';
import { scrub } from '../../../harness/record/scrub.js';
import type { SchemaPlace } from '../../../harness/record/store-place.js';
import { formatQuantity } from '../../../summarize/quantities.js';
import { packagesFolder, type CheckResult, type Subject } from './check.js';
import { readManifest } from './manifest.js';
import { rebuildLine, reinstallLine } from './npm-lines.js';
import { installFix } from './packages.js';

const WORKER = new URL('../../doctor/worker.js', import.meta.url);
const TIMEOUT_MS = 60_000;
const OTHER_WORK_DIR = 'name a folder that can be written: --work-dir DIR, or TMPDIR';

export async function checkBackends(subject: Subject): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  try {
    const workFolder = makeWorkFolder(subject.workDir, guardFolder);
    try {
      for (const backend of subject.backends) {
        const check = BACKEND_CAPABILITIES[backend].server ? checkOnServer : checkInFolder;
        results.push(await check(backend, workFolder, subject));
      }
    } finally {
      workFolder.remove();
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const left = subject.backends.slice(results.length);
    results.push(...left.map((backend) => refused(backend, scrub(error.message), OTHER_WORK_DIR)));
  }
  return results;
}

async function checkInFolder(
  backend: Backend,
  workFolder: WorkFolder,
  subject: Subject,
  server: SchemaPlace | null = null,
): Promise<CheckResult> {
  const ran = await runChild({
    worker: WORKER,
    task: openTask({ backend, store_dir: workFolder.makeCaseFolder(), server }),
    packagesDir: subject.packagesDir,
    timeoutMs: TIMEOUT_MS,
    maxRssBytes: null,
    signal: new AbortController().signal,
  });
  return judgeBackend(backend, ran, subject);
}

/** On the server that the user has named, or on one that is started for this check as it is for a run. */
async function checkOnServer(
  backend: Backend,
  workFolder: WorkFolder,
  subject: Subject,
): Promise<CheckResult> {
  let server: DatabaseServer | null = null;
  try {
    server = await startServer(subject.postgresUri, workFolder.serverFolder);
    return await checkInFolder(backend, workFolder, subject, server.schemaOf('doctor'));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return refused(backend, error.message, serverFix(error.message, subject));
  } finally {
    await server?.stop();
  }
}

function serverFix(problem: string, { postgresUri, projectDir }: Subject): string {
  if (postgresUri !== null)
    return 'name a server that is there and lets you in, or leave --postgres-uri and TEST_POSTGRES_URI out for one of its own';
  if (problem.includes('name another --work-dir'))
    return 'name a folder that all may enter: --work-dir DIR, or TMPDIR';
  return `${reinstallLine(projectDir)}; or name a server: --postgres-uri URI, or TEST_POSTGRES_URI`;
}

export function judgeBackend(
  backend: Backend,
  ran: Pick<ChildRun<OpenReport>, 'ending' | 'stderrTail'>,
  subject: Subject,
): CheckResult {
  const { ending, stderrTail } = ran;
  if (ending.kind === 'interrupted') throw new Error('Nothing interrupts the child of a check.');
  if (ending.kind !== 'reported') {
    return refused(backend, endingSentence(ending, stderrTail), reinstallLine(packagesFolder(subject)));
  }
  const { outcome } = ending.report;
  if (outcome.kind === 'refused') return refused(backend, outcome.error, fixOf(backend, outcome, subject));
  const [load, roundTrip] = [outcome.load_ms, outcome.round_trip_ms].map(Math.round) as [number, number];
  return {
    check: 'backends',
    status: 'fine',
    what:
      `${backend} kept a checkpoint and gave it back in ${formatQuantity(outcome.round_trip_ms, 'ms')}, ` +
      `once its packages had loaded in ${load} ms.`,
    facts: { backend, load_ms: load, round_trip_ms: roundTrip, error: null },
    fix: null,
  };
}

/** What a child tells of a backend that threw. */
type Refusal = Extract<OpenReport['outcome'], { kind: 'refused' }>;

function refused(backend: Backend, error: string, fix: string): CheckResult {
  const facts = { backend, load_ms: null, round_trip_ms: null, error };
  return { check: 'backends', status: 'missing', what: `${backend} does not start: ${error}`, facts, fix };
}

function endingSentence(ending: UnusableEnding, stderrTail: readonly string[]): string {
  return ending.kind === 'timed_out'
    ? `its child did not report within ${TIMEOUT_MS / 1000} s.`
    : endedBadly('child', ending, { stderrTail, lastUsage: null }, TIMEOUT_MS).message;
}

/** What a server answers has a code of five characters: https://www.postgresql.org/docs/18/errcodes-appendix.html */
const OF_A_SERVER = /^[0-9A-Z]{5}$/;
const OTHER_SERVER =
  'name a server with --postgres-uri whose role may make schemas: GRANT CREATE ON DATABASE name TO role';
const OF_THE_FOLDER = /^(?:SQLITE_(?:CANTOPEN|READONLY|FULL|IOERR)|ENOSPC|EACCES|EROFS|EDQUOT)/;

function fixOf(backend: Backend, { error, code }: Refusal, subject: Subject): string {
  const folder = packagesFolder(subject);
  const [, notFound] = /^Cannot find package '([^']+)'/.exec(error) ?? [];
  if (notFound !== undefined && packagesUnderTest(subject.backends).includes(notFound)) {
    return installFix([notFound], subject);
  }
  if (/could not locate the bindings file/i.test(error) || code === 'ERR_DLOPEN_FAILED') {
    const addon = installedFolder(folder, 'better-sqlite3');
    if (addon !== null) return rebuildLine('better-sqlite3', readManifest(addon).version ?? '', addon);
  }
  if (code !== null && OF_A_SERVER.test(code) && BACKEND_CAPABILITIES[backend].server) return OTHER_SERVER;
  return code !== null && OF_THE_FOLDER.test(code) ? OTHER_WORK_DIR : reinstallLine(folder);
}
