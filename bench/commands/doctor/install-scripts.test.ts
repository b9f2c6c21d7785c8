import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ignoresScripts } from './ignore-scripts.js';
import { checkScript, lacksAddon, lacksLinks } from './install-scripts.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
}

describe('the install script of better-sqlite3', () => {
  const look = (backends: readonly string[] = ['sqlite']) =>
    checkScript({ name: 'better-sqlite3', backend: 'sqlite', from: root, lacks: lacksAddon }, backends);

  beforeEach(() => {
    write('package.json', '{"allowScripts":{"better-sqlite3":false}}');
    write('node_modules/better-sqlite3/package.json', '{"version":"12.11.1"}');
    write('node_modules/better-sqlite3/binding.gyp', '{}');
  });

  it('is missed where its addon is, with why and the line that runs it', () => {
    write('.npmrc', 'audit=false\nignore-scripts=true\n');
    expect(look()).toMatchObject([
      {
        status: 'missing',
        what:
          'better-sqlite3 lacks its native addon: npm has not run its install script, which sqlite needs. ' +
          'package.json denies it in allowScripts. ' +
          "npm is set to run no install scripts (ignore-scripts in the folder's .npmrc).",
        facts: { has_run: false, allow_scripts: 'denied', ignore_scripts: "the folder's .npmrc" },
        fix: expect.stringMatching(/npm rebuild better-sqlite3 --ignore-scripts=false$/),
      },
    ]);
  });

  it('is denied by the project that holds it, also where this one is a package below that', () => {
    const below = join(root, 'node_modules', 'deltaproof');
    mkdirSync(below);
    const found = checkScript(
      { name: 'better-sqlite3', backend: 'sqlite', from: below, lacks: lacksAddon },
      [],
    );
    expect(found).toMatchObject([{ facts: { allow_scripts: 'denied' } }]);
  });

  it('is only a warning where no one asked for SQLite', () => {
    expect(look(['memory'])).toMatchObject([{ status: 'warning' }]);
  });

  it('has run where the addon is there', () => {
    write('node_modules/better-sqlite3/build/Release/better_sqlite3.node', '');
    expect(look()).toMatchObject([{ status: 'fine', what: 'The install script of better-sqlite3 has run.' }]);
    write('.npmrc', 'ignore-scripts');
    expect(look()).toMatchObject([
      { status: 'fine', what: expect.stringContaining('After the next install:') },
    ]);
  });

  it('is not looked for in a package that is not built, or that is not there', () => {
    rmSync(join(root, 'node_modules/better-sqlite3/binding.gyp'));
    expect(look()).toMatchObject([{ status: 'fine' }]);
    rmSync(join(root, 'node_modules'), { recursive: true });
    expect(look()).toEqual([]);
  });
});

it('misses links to the libraries of a server, by number', () => {
  expect(lacksLinks(root)).toBeNull();
  const targets = ['native/lib/libpq.so', 'native/lib/libpq.so.5'];
  const links = targets.map((target) => ({ source: 'native/lib/libpq.so.5.18', target }));
  write('native/pg-symlinks.json', JSON.stringify(links));
  write('native/lib/libpq.so.5.18', '');
  expect(lacksLinks(root)).toBe('2 of the 2 links to its libraries');
  targets.forEach((target) => symlinkSync('libpq.so.5.18', join(root, target)));
  expect(lacksLinks(root)).toBeNull();
});

describe('ignore-scripts', () => {
  const place = (env: Record<string, string> = {}) =>
    ignoresScripts(root, {
      npm_config_userconfig: join(root, 'user-npmrc'),
      npm_config_globalconfig: join(root, 'global-npmrc'),
      ...env,
    });

  it('is set where the first place says so that says anything', () => {
    expect(place()).toBeNull();
    write('global-npmrc', 'ignore-scripts = true\r\n');
    expect(place()).toBe('the global npmrc');
    write('user-npmrc', 'ignore-scripts="true"');
    expect(place()).toBe("the user's .npmrc");
    write('.npmrc', 'ignore-scripts=false');
    expect(place()).toBeNull();
    expect(place({ NPM_CONFIG_IGNORE_SCRIPTS: 'true' })).toBe('the environment');
  });

  it('is not taken from a comment or from another setting', () => {
    write(
      '.npmrc',
      '; ignore-scripts=true\n#ignore-scripts=true\nx-ignore-scripts=true\nignore-scripts-too=true',
    );
    expect(place()).toBeNull();
  });
});
