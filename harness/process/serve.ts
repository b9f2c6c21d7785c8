// The life of a child that answers one request: it takes stdout for the report before anything that is measured or tested is
// loaded, and ends when the report is sent.

import { claimStdout, receiveRequest } from './protocol.js';

/** What a worker loads once stdout is claimed. */
interface Answers {
  readonly answer: (request: unknown) => Promise<object>;
}

/** Never returns. */
export async function serve(load: () => Promise<Answers>): Promise<never> {
  const send = claimStdout();
  const request = await receiveRequest();
  const { answer } = await load();
  await send(await answer(request));
  // A saver may hold handles that would keep a finished child waiting.
  process.exit(0);
}
