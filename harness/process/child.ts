// Runs one child to its end, whatever that is. The only file that spawns. Every way a child can end is a member of
// ChildEnding; nothing here can hang: the whole process group goes at the timeout, and pipes that a stray grandchild
// holds open are closed soon after the child has gone. Nothing outlives a kill of this process either: its guard
// (guard.ts) sees to that.

import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { scrubbedTail } from '../record/scrub.js';
import { folderTold, groupEnded, groupStarted } from './guard-lines.js';
import { watchProcess, type LastUsage, type Watch } from './watch.js';
import { readOutput, type AnyReport, type ReadOutput, type Task } from './protocol.js';

/** How a child ended: with something on stdout, or in a way that makes its stdout not count. */
export type ChildEnding<Report> =
  | ReadOutput<Report>
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed_out'; readonly timeoutMs: number }
  | { readonly kind: 'flooded'; readonly limitBytes: number }
  | { readonly kind: 'over_memory'; readonly rssBytes: number; readonly limitBytes: number }
  | { readonly kind: 'not_started'; readonly problem: string }
  /** The controller itself stopped it; it says nothing about the case. */
  | { readonly kind: 'interrupted' };

export interface ChildRun<Report> {
  readonly ending: ChildEnding<Report>;
  /** Last lines of stderr, scrubbed. */
  readonly stderrTail: readonly string[];
  /** Its memory and CPU when it was last looked at from outside. */
  readonly lastUsage: LastUsage | null;
}

export interface ChildSpec<Report extends AnyReport> {
  /** The worker module, as a file URL; the parent never imports it. */
  readonly worker: URL;
  readonly task: Task<Report>;
  /** Folder whose node_modules holds the packages under test; null for those installed with this project. */
  readonly packagesDir: string | null;
  readonly timeoutMs: number;
  /** A child with more resident memory is stopped; null for no limit. */
  readonly maxRssBytes: number | null;
  /** Aborting it kills the child's process group. */
  readonly signal: AbortSignal;
  /** Further arguments for Node itself, such as those of its profiler. */
  readonly nodeArguments?: readonly string[];
  /** Working directory of the child; the parent's by default. */
  readonly cwd?: string;
  /** A child that writes more to stdout is stopped; 256 MiB by default. */
  readonly stdoutLimitBytes?: number;
}

const STDOUT_LIMIT_BYTES = 256 << 20;
const GUARD = new URL('./guard.js', import.meta.url);
const STDERR_TAIL_BYTES = 16 << 10;
/** Stdin of the guard; null before the first child and where no guard can be had. */
let guardPipe: Writable | null = null;
/** How long pipes may stay open once the child is gone and its group was killed. */
const PIPE_GRACE_MS = 1000;

/** Starts the worker, sends the request, waits for the end. Never throws and never hangs. */
export async function runChild<Report extends AnyReport>(spec: ChildSpec<Report>): Promise<ChildRun<Report>> {
  if (spec.signal.aborted) return { ending: { kind: 'interrupted' }, stderrTail: [], lastUsage: null };
  const { stdoutLimitBytes: limitBytes = STDOUT_LIMIT_BYTES } = spec;
  guardPipe ??= startGuard(); // before the child, so that it is told of it at once
  const child = execa(
    process.execPath,
    [...hookArguments(spec), ...(spec.nodeArguments ?? []), fileURLToPath(spec.worker)],
    {
      detached: true,
      reject: false,
      stdin: 'pipe',
      buffer: { stdout: true, stderr: false },
      maxBuffer: limitBytes,
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
      env: childEnvironment(spec),
    },
  );
  if (child.pid !== undefined) tellGuard(groupStarted(child.pid));
  let stopped: StoppedEnding | null = null;
  let exited = false;
  const stop = (why: StoppedEnding) => {
    stopped ??= why;
    if (!exited) killGroup(child.pid);
  };
  const timer = setTimeout(() => stop({ kind: 'timed_out', timeoutMs: spec.timeoutMs }), spec.timeoutMs);
  const onAbort = () => stop({ kind: 'interrupted' });
  const watch = watchChild(child.pid, spec.maxRssBytes, stop);
  spec.signal.addEventListener('abort', onAbort, { once: true });
  onMoreBytesThan(limitBytes, child.stdout, () => stop({ kind: 'flooded', limitBytes }));
  const stderr = tailOf(child.stderr);
  child.stdin.on('error', () => {}); // a child that dies at once breaks the pipe; its ending says so
  child.stdin.write(`${JSON.stringify(spec.task.request)}\n`);
  child.once('exit', () => {
    exited = true;
    clearTimeout(timer);
    killGroup(child.pid);
    if (child.pid !== undefined) tellGuard(groupEnded(child.pid));
    const grace = setTimeout(() => child.stdout.destroy(), PIPE_GRACE_MS);
    child.stdout.once('close', () => clearTimeout(grace));
    child.stderr.destroy();
    child.stdin.destroy();
  });

  const result = await child;
  clearTimeout(timer);
  watch.stop();
  spec.signal.removeEventListener('abort', onAbort);
  return {
    ending: stopped ?? endingOf(result, spec),
    stderrTail: scrubbedTail(stderr.text()),
    lastUsage: watch.last(),
  };
}

interface EndedProcess {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly stdout: string | undefined;
  readonly originalMessage?: string | undefined;
}

/** The endings that the parent brings about. */
type StoppedEnding = Extract<
  ChildEnding<never>,
  { kind: 'timed_out' | 'flooded' | 'over_memory' | 'interrupted' }
>;

function watchChild(
  pid: number | undefined,
  maxRssBytes: number | null,
  stop: (why: StoppedEnding) => void,
): Watch {
  if (pid === undefined) return { last: () => null, stop: () => {} };
  return watchProcess(pid, ({ rss_bytes: rssBytes }) => {
    if (maxRssBytes !== null && rssBytes > maxRssBytes) {
      stop({ kind: 'over_memory', rssBytes, limitBytes: maxRssBytes });
    }
  });
}

function endingOf<Report extends AnyReport>(
  result: EndedProcess,
  { task }: ChildSpec<Report>,
): ChildEnding<Report> {
  if (result.signal !== undefined) return { kind: 'signalled', signal: result.signal };
  if (result.exitCode === undefined) {
    return { kind: 'not_started', problem: result.originalMessage ?? 'the process could not be started' };
  }
  if (result.exitCode !== 0) return { kind: 'exited', code: result.exitCode };
  return readOutput(result.stdout ?? '', task);
}

/** SIGKILL to the child's whole process group; it leads its own, since it was started detached. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}

/** Tells of a flood itself: a closed pipe does not end a child that passes over EPIPE. */
function onMoreBytesThan(limitBytes: number, stream: NodeJS.ReadableStream, onFlood: () => void): void {
  let bytes = 0;
  stream.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > limitBytes) onFlood();
  });
}

/** Keeps the last part of a stream, so that a child that floods stderr costs no memory. */
function tailOf(stream: NodeJS.ReadableStream): { text(): string } {
  let kept = Buffer.alloc(0);
  stream.on('data', (part: Buffer) => {
    kept = Buffer.concat([kept, part]).subarray(-STDERR_TAIL_BYTES);
  });
  return { text: () => kept.toString('utf8') };
}

function hookArguments({ packagesDir }: Pick<ChildSpec<never>, 'packagesDir'>): string[] {
  return packagesDir === null ? [] : ['--import', new URL('./packages-hook.js', import.meta.url).href];
}

/** The user's environment without what would make a child measure something else: tracing and LangGraph's own bound. */
function childEnvironment({
  packagesDir,
}: Pick<ChildSpec<never>, 'packagesDir'>): Record<string, string | undefined> {
  return {
    LANGSMITH_TRACING: 'false',
    LANGSMITH_TRACING_V2: 'false',
    LANGCHAIN_TRACING_V2: 'false',
    // Not 'false': CallbackManager._configureSync of @langchain/core takes any text here for a yes.
    LANGCHAIN_TRACING: undefined,
    LANGCHAIN_VERBOSE: undefined,
    LANGCHAIN_CALLBACKS_BACKGROUND: undefined,
    LANGGRAPH_DELTA_MAX_SUPERSTEPS_SINCE_SNAPSHOT: undefined,
    DELTAPROOF_PACKAGES: packagesDir ?? undefined,
  };
}

/** The run's folder goes with its children when this process is killed. */
export function guardFolder(path: string): void {
  guardPipe ??= startGuard();
  tellGuard(folderTold(path));
}

function tellGuard(line: string): void {
  guardPipe?.write(line);
}

/** One guard a process, for as long as it lives. Without it a run goes on as well; null when it cannot be had. */
function startGuard(): Writable | null {
  try {
    return startCompanion(GUARD, ['--max-old-space-size=16']).stdin;
  } catch {
    return null;
  }
}

/**
 * Starts a module in a session of its own, which nothing that stops this process stops: it ends when its stdin does. It
 * does not keep this process alive.
 *
 * @throws Error when it cannot be started.
 */
export function startCompanion(module: URL, nodeArguments: readonly string[] = []): Companion {
  const companion = spawn(process.execPath, [...nodeArguments, fileURLToPath(module)], {
    detached: true,
    cwd: '/', // holds on to no folder of the user
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, NODE_OPTIONS: undefined },
  });
  companion.on('error', () => {});
  companion.stdin.on('error', () => {});
  companion.unref();
  (companion.stdin as Socket).unref();
  (companion.stdout as Socket).unref();
  return { stdin: companion.stdin, stdout: companion.stdout };
}

interface Companion {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/** Runs a short tool and returns its stdout, or null when it is missing, fails or takes more than ten seconds. */
export async function toolOutput(file: string, args: readonly string[], cwd: string): Promise<string | null> {
  const result = await execa(file, args, { cwd, reject: false, stdin: 'ignore', timeout: 10_000 });
  return result.failed ? null : result.stdout;
}

/**
 * Runs one of this project's modules in a process of its own and returns its stdout; its stderr is passed through.
 *
 * @throws Error that says how it ended, when it fails or takes more than ten minutes.
 */
export async function moduleOutput(module: URL, args: readonly string[], cwd: string): Promise<string> {
  const settings = { cwd, reject: false, stdin: 'ignore', stderr: 'inherit', timeout: 600_000 } as const;
  const result = await execa(process.execPath, [fileURLToPath(module), ...args], settings);
  if (!result.failed) return result.stdout;
  const exit = result.signal ?? `exit code ${result.exitCode ?? 'unknown'}`;
  const how = result.timedOut ? 'it took more than ten minutes' : exit;
  throw new Error(`${basename(module.pathname)} did not finish: ${how}.`);
}
