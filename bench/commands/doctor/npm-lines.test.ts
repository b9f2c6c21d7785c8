import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installLine, rebuildLine, reinstallLine, scriptVerdict } from './npm-lines.js';

let root = '';
let into = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
  into = `cd ${relative('.', root)} && `;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, content: object): void {
  writeFileSync(join(root, name), JSON.stringify(content));
}

it('reinstalls by the lock file where there is one, and in the folder where the user is without a cd', () => {
  expect(reinstallLine(root)).toBe(`${into}npm install`);
  write('package-lock.json', {});
  expect(reinstallLine(root)).toBe(`${into}npm ci`);
  expect(installLine('.', ['a', 'b@1'])).toBe('npm install a b@1');
});

it('goes to the project that holds a package, not into its node_modules', () => {
  expect(reinstallLine(join(root, 'node_modules', 'deltaproof'))).toBe(`${into}npm install`);
});

it('quotes the name of a folder', () => {
  mkdirSync(join(root, 'my packages'));
  expect(reinstallLine(join(root, 'my packages'))).toMatch(/^cd '.*\/my packages' && npm install$/);
});

it('overrules ignored scripts in every rebuild, and allows the script first where package.json does not', () => {
  const folder = join(root, 'node_modules', 'addon');
  const line = () => rebuildLine('addon', '1.2.3', folder);
  const rebuild = 'npm rebuild addon --ignore-scripts=false';
  const allow = 'npm pkg set "allowScripts[addon]=true" --json';
  expect(line()).toBe(`${into}${rebuild}`);
  write('package.json', {});
  expect(line()).toBe(`${into}${allow} && ${rebuild}`);
  write('package.json', { allowScripts: { addon: true } });
  expect(line()).toBe(`${into}${rebuild}`);
  write('package.json', { allowScripts: { addon: false } });
  expect(line()).toBe(`${into}${allow} && ${rebuild}`);
});

it.skipIf(platform() === 'win32')(
  'rebuilds what is installed with --global there (skipped: a POSIX path)',
  () => {
    const folder = join(root, 'lib', 'node_modules', 'deltaproof', 'node_modules', 'addon');
    expect(rebuildLine('addon', '1.2.3', folder)).toBe('npm rebuild --global addon --ignore-scripts=false');
  },
);

it.each([
  [{ addon: true }, 'allowed'],
  [{ 'addon@1.2.3 || 2': true }, 'allowed'],
  [{ 'addon@1.2.4': true }, 'unnamed'],
  [{ addons: true }, 'unnamed'],
  [{ addon: false, 'addon@1.2.3': true }, 'denied'],
])('reads allowScripts %j as %s', (allowScripts, verdict) => {
  expect(scriptVerdict({ allowScripts }, 'addon', '1.2.3')).toBe(verdict);
  const scoped = Object.entries(allowScripts).map(([key, value]) => [`@scope/${key}`, value] as const);
  expect(scriptVerdict({ allowScripts: Object.fromEntries(scoped) }, '@scope/addon', '1.2.3')).toBe(verdict);
});
