// The slow tests, *.slow.test.ts: real servers, kills, whole runs. Most of their time goes to children that are awaited.
import { fileURLToPath } from 'node:url';

import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.js';

export default defineConfig({
  // This file is not at the project root, and Vitest would otherwise take its folder for the root.
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['**/*.slow.test.ts'],
    exclude: [...configDefaults.exclude, 'dist/**'],
    globalSetup: ['harness/process/postgres-for-tests.support.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    passWithNoTests: false,
  },
});
