// The child of `deltaproof verify`: one scenario in, one report out. Imports nothing under test before stdout is taken
// for the report.

import { createRequire } from 'node:module';
import { loaded } from '../../harness/process/load.js';

const requireModule = createRequire(import.meta.url);

const { serve } = await loaded(
  () => requireModule('../../harness/process/serve.js'),
  () => import('../../harness/process/serve.js'),
);
await serve(() =>
  loaded(
    () => requireModule('./answer.js'),
    () => import('./answer.js'),
  ),
);
