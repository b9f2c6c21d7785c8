// The quick tests: everything beside its file as *.test.ts, apart from *.slow.test.ts.
import { fileURLToPath } from 'node:url';

import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.js';

export default defineConfig({
  // This file is not at the project root, and Vitest would otherwise take its folder for the root.
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'dist/**', '**/*.slow.test.ts', '**/*.support.test.ts'],
    globalSetup: ['harness/process/postgres-for-tests.support.test.ts'],
    pool: 'forks',
    // Most of the time goes to children that are started and awaited; one worker would leave a core idle.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    passWithNoTests: false,
  },
});
