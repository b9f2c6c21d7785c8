// The child that loads the user's modules before anything is planned: the process that plans never does.

import { claimStdout, receiveRequest } from '../../harness/process/protocol.js';

const send = claimStdout();
const request = await receiveRequest();
const { answer } = await import('./answer.js');
await send(await answer(request));
// A module may hold handles that would keep a finished child waiting.
process.exit(0);
