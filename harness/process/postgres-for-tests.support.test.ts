// Starts the Postgres server of a test run, or goes to TEST_POSTGRES_URI; tests are told where by `inject('postgres')`.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startBuiltServer } from './built-server.support.test.js';
import type { DatabaseServer } from './postgres-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** What the schemas of tests begin with; or why there is no server. */
    postgres: { readonly uri: string; readonly schema: string } | { readonly missing: string };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
  let server: DatabaseServer | null = null;
  try {
    server = await startBuiltServer(process.env['TEST_POSTGRES_URI'] ?? null, join(folder, 'postgres'));
    project.provide('postgres', server.schemaOf('test'));
  } catch (error) {
    project.provide('postgres', { missing: (error as Error).message });
  }
  return async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
