// Cases on a database server as the controller runs them: what their children are asked, and what becomes of their schemas.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exampleRunSettings } from './run-settings.support.test.js';
import { exampleCase } from '../../fixtures/journals/rows.js';
import { runCases } from '../controller.js';
import type { DatabaseServer } from '../process/postgres-server.js';
import { makeWorkFolder } from '../process/work-folder.js';
import type { Backend } from '../record/names.js';
import type { Row } from '../record/row.js';
import { Places } from './places.js';

const REPORTS = new URL('../../fixtures/children/request-and-report.mjs', import.meta.url).href;

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A worker that notes what it was asked, and then does `ending`. */
function worker(ending: string): URL {
  const path = join(root, 'worker.mjs');
  writeFileSync(
    path,
    `import { appendFileSync } from 'node:fs';
     import { readRequest, reportFor, send } from ${JSON.stringify(REPORTS)};
     const request = await readRequest();
     const { role, removes_thread, server } = request;
     appendFileSync(${JSON.stringify(join(root, 'asked'))}, JSON.stringify({ role, removes_thread, server }) + '\\n');
     ${ending}`,
  );
  return pathToFileURL(path);
}

const REPORTS_WELL = 'send(reportFor(request));';

interface Run {
  readonly asked: unknown[];
  readonly dropped: string[];
  readonly rows: Pick<Row, 'case' | 'success' | 'failure'>[];
}

async function run(
  ending: string,
  backends: readonly Backend[],
  problem: string | null = null,
): Promise<Run> {
  const dropped: string[] = [];
  const rows: Row[] = [];
  const server: DatabaseServer = {
    name: '18.4 0123',
    schemaOf: (store) => ({ uri: 'postgresql://host', schema: `deltaproof_run_${store}` }),
    drop: async ({ schema }) => {
      dropped.push(schema);
      return null;
    },
    problem: async () => problem,
    leftovers: async () => [],
    stop: async () => {},
  };
  const workFolder = makeWorkFolder(root);
  await runCases(
    backends.map((backend, index) => exampleCase({ backend, updates: 1, repetition: index + 1, seed: 1 })),
    [],
    {
      worker: worker(ending),
      ...exampleRunSettings(),
      places: new Places(workFolder, server),
      append: (line) => void (line.kind === 'row' && rows.push(line)),
      onEvent: () => {},
    },
  );
  workFolder.remove();
  const lines = readFileSync(join(root, 'asked'), 'utf8').trim().split('\n');
  return { asked: lines.map((line) => JSON.parse(line) as unknown), dropped, rows };
}

const SERVER = { uri: 'postgresql://host', schema: 'deltaproof_run_1' };

it('the last reader of a case deletes its thread, and its schema is dropped after it', async () => {
  const { asked, dropped, rows } = await run(REPORTS_WELL, ['postgres']);
  expect(asked).toEqual([
    { role: 'write', removes_thread: false, server: SERVER },
    { role: 'read', removes_thread: false, server: SERVER },
    { role: 'read', removes_thread: false, server: SERVER },
    { role: 'read', removes_thread: true, server: SERVER },
  ]);
  expect(dropped).toEqual(['deltaproof_run_1']);
  expect(rows).toMatchObject([{ success: true, provenance: { server: '18.4 0123' } }]);
});

it('a case without a server deletes nothing and knows of none', async () => {
  const { asked, rows } = await run(REPORTS_WELL, ['sqlite']);
  expect(asked).toMatchObject(
    ['write', 'read', 'read', 'read'].map((role) => ({ role, removes_thread: false, server: null })),
  );
  expect(rows).toMatchObject([{ success: true, provenance: { server: null } }]);
});

it('a case that fails before has its schema dropped all the same', async () => {
  const { asked, dropped, rows } = await run('process.exit(1);', ['postgres', 'postgres']);
  expect(asked).toHaveLength(2);
  expect(dropped).toEqual(['deltaproof_run_1', 'deltaproof_run_2']);
  expect(rows).toMatchObject([{ failure: { reason: 'exited' } }, { failure: { reason: 'exited' } }]);
});

it('a server that is gone is why a case failed, and no other case on it is begun', async () => {
  const backends: Backend[] = ['sqlite', 'postgres', 'postgres', 'memory'];
  const { rows } = await run('process.exit(1);', backends, 'It went away.');
  expect(rows.map(({ case: c, failure }) => [c.backend, failure?.reason, failure?.message])).toEqual([
    ['sqlite', 'exited', 'The writer exited with code 1 before it reported.'],
    ['postgres', 'server_lost', 'The database server was gone: It went away.'],
    ['memory', 'exited', 'The writer exited with code 1 before it reported.'],
  ]);
});
