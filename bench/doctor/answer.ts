// From a request to its report: opens one backend on an empty folder, puts a checkpoint and reads it. Whatever a package
// throws, while it is loaded or later, is reported; nothing is imported that could throw before.

import {
  openRequestSchema,
  type OpenReport,
  type OpenRequest,
} from '../../harness/process/doctor-messages.js';
import { scrub } from '../../harness/record/scrub.js';
import { storeOpener, type OpenStore } from '../../harness/savers/saver.js';

const CONFIG = { configurable: { thread_id: 'doctor', checkpoint_ns: '' } };
const ERROR_CHARACTERS = 300;

/** @throws ZodError when the request is not one. */
export async function answer(received: unknown): Promise<OpenReport> {
  const request = openRequestSchema.parse(received);
  return { kind: 'report', case_key: request.backend, role: 'open', outcome: await tryToOpen(request) };
}

async function tryToOpen({ backend, store_dir: dir, server }: OpenRequest): Promise<OpenReport['outcome']> {
  try {
    const startedAt = performance.now();
    const open = await storeOpener(backend);
    const { emptyCheckpoint } = await import('@langchain/langgraph-checkpoint');
    const loadedAt = performance.now();
    const store = await open({ dir, server });
    try {
      await roundTrip(store.saver, emptyCheckpoint());
    } finally {
      await store.close();
    }
    const load_ms = loadedAt - startedAt;
    return { kind: 'opened', load_ms, round_trip_ms: performance.now() - loadedAt };
  } catch (error) {
    return { kind: 'refused', error: firstSentence(error), code: codeOf(error) };
  }
}

async function roundTrip(
  saver: OpenStore['saver'],
  checkpoint: Parameters<OpenStore['saver']['put']>[1],
): Promise<void> {
  await saver.put(CONFIG, checkpoint, { source: 'input', step: -1, parents: {} }, {});
  const read = await saver.getTuple(CONFIG);
  if (read?.checkpoint.id !== checkpoint.id)
    throw new Error('The checkpoint that was put was not read back.');
}

/** Not the first line: that of an addon for another Node ends in the middle of the sentence. */
function firstSentence(error: unknown): string {
  const text = scrub(error instanceof Error ? error.message : String(error))
    .replaceAll(/\s+/g, ' ')
    // From where is a matter of this project's files.
    .replace(/ imported from \S+$/, '.');
  return (/^.*?\.(?= |$)/.exec(text)?.[0] ?? text).slice(0, ERROR_CHARACTERS);
}

function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}
