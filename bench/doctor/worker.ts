// The child of `deltaproof doctor`: one backend in, one report out. Imports nothing under test before stdout is taken
// for the report.

import { createRequire } from 'node:module';
import { loaded } from '../../harness/process/load.js';

const requireModule = createRequire(import.meta.url);

const { claimStdout, receiveRequest } = await loaded(
  () => requireModule('../../harness/process/protocol.js'),
  () => import('../../harness/process/protocol.js'),
);
const send = claimStdout();
const request = await receiveRequest();
const { answer } = await loaded(
  () => requireModule('./answer.js'),
  () => import('./answer.js'),
);
await send(await answer(request));
// A saver may hold handles that would keep a finished child waiting.
process.exit(0);
