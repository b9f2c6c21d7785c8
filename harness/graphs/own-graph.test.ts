import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadGraph } from './own-graph.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BOTH = 'export const build = () => ({}), input = () => ({});';

function load(source: string, file = 'own.mjs') {
  const path = join(folder, file);
  writeFileSync(path, source);
  return loadGraph(path);
}

it('takes a module by the name of its file, or by its own', async () => {
  expect((await load(BOTH, 'My_Graph 2.mjs')).name).toBe('my-graph-2');
  expect((await load(`${BOTH} export const name = "chat";`, 'other.mjs')).name).toBe('chat');
});

it.each([
  ['export const input = () => ({});', /^own\.mjs does not export build: build\(\{ saver, mode/],
  ['export const build = () => ({});', /^own\.mjs does not export input: /],
  ['export const build = 1, input = 2;', /^own\.mjs does not export build/],
  [`${BOTH} export const channels = "messages";`, /^channels of own\.mjs is no list of names of channels\.$/],
  [`${BOTH} export const name = "My Graph";`, /^name of own\.mjs is not one of small letters/],
  ['throw new Error("not today")', /^own\.mjs cannot be loaded: not today$/],
])('refuses %j in one sentence', async (source, sentence) => {
  await expect(load(source)).rejects.toThrow(sentence);
});
