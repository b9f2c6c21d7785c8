// The child that loads the user's modules before anything is planned: the process that plans never does.

import { createRequire } from 'node:module';
import { serve } from '../../harness/process/serve.js';

const requireModule = createRequire(import.meta.url);

await serve(
  () => requireModule('./answer.js'),
  () => import('./answer.js'),
);
