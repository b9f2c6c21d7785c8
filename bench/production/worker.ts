// The child of `deltaproof production`: one case in, one report out.

import { createRequire } from 'node:module';
import { serve } from '../../harness/process/serve.js';

const requireModule = createRequire(import.meta.url);

await serve(
  () => requireModule('./answer.js'),
  () => import('./answer.js'),
);
