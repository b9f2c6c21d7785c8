// The child that loads the user's modules before anything is planned: the process that plans never does.

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
