// The slow tests, *.slow.test.ts: real servers, large databases, whole runs. One file at a time, since some of
// them measure time and memory.
import { fileURLToPath } from 'node:url';

import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  // This file is not at the project root, and Vitest would otherwise take its folder for the root.
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['**/*.slow.test.ts'],
    exclude: [...configDefaults.exclude, 'dist/**'],
    globalSetup: ['harness/process/postgres-for-tests.support.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    passWithNoTests: false,
  },
});
