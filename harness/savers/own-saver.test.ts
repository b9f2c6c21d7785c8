import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSaver } from './own-saver.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function load(source: string) {
  const path = join(folder, 'own.mjs');
  writeFileSync(path, source);
  return loadSaver(path);
}

it('takes a module that says what it is and opens a saver', async () => {
  const { name, persistent } = await load('export default { name: "mine-2", persistent: false, open() {} };');
  expect({ name, persistent }).toEqual({ name: 'mine-2', persistent: false });
});

it.each([
  ['export const saver = 1;', /^own\.mjs has no default export; export default defineSaver\(\{ name/],
  ['export default 3;', /^own\.mjs has no default export/],
  ['export default { name: "x", persistent: true };', /^The default export of own\.mjs has no function open/],
  ['export default { persistent: true, open() {} };', /is not as it should be, name is no text/],
  [
    'export default { name: "x", open() {} };',
    /is not as it should be, persistent is neither true nor false/,
  ],
  [
    'export default { name: "My Saver", persistent: true, open() {} };',
    /name is not a name of small letters/,
  ],
  ['throw new Error("not today")', /^own\.mjs cannot be loaded: not today$/],
])('refuses %j in one sentence', async (source, sentence) => {
  await expect(load(source)).rejects.toThrow(sentence);
});
