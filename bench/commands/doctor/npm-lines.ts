// The npm command lines that mend an installation, to be typed where the user is now.

import { existsSync } from 'node:fs';
import { platform } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';
import { satisfies } from 'semver';
import { quoted } from '../resume-command.js';
import { readManifest, type ReadManifest } from './manifest.js';

/** Installs what a folder's package.json names. */
export function reinstallLine(folder: string): string {
  const root = npmRoot(folder);
  return inFolder(root, existsSync(join(root, 'package-lock.json')) ? 'npm ci' : 'npm install');
}

/** Adds packages, each as `name` or `name@version`, to a folder. */
export function installLine(folder: string, packages: readonly string[]): string {
  return inFolder(npmRoot(folder), ['npm', 'install', ...packages].map(quoted).join(' '));
}

/**
 * Runs the install script of a package that npm has left out. npm says that it rebuilt also where it ran nothing: where
 * its settings ignore scripts, which the option overrules, and where package.json denies this one, which no
 * option of an older npm overrules.
 *
 * @param packageFolder where the package is installed.
 */
export function rebuildLine(name: string, version: string, packageFolder: string): string {
  const root = npmRoot(packageFolder);
  const rebuild = `${quoted(name)} --ignore-scripts=false`;
  if (!existsSync(join(root, 'package.json'))) {
    return isGlobal(root) ? `npm rebuild --global ${rebuild}` : inFolder(root, `npm rebuild ${rebuild}`);
  }
  const allow =
    scriptVerdict(readManifest(root), name, version) === 'allowed'
      ? ''
      : `npm pkg set "allowScripts[${name}]=true" --json && `;
  return inFolder(root, `${allow}npm rebuild ${rebuild}`);
}

/** Where npm keeps what is installed with --global: lib below its prefix, on Windows a folder of the user. */
function isGlobal(root: string): boolean {
  return basename(root) === (platform() === 'win32' ? 'npm' : 'lib');
}

/** What `allowScripts` of a package.json says of a package; npm lets a denial win. */
export function scriptVerdict(
  { allowScripts = {} }: ReadManifest,
  name: string,
  version: string,
): 'allowed' | 'denied' | 'unnamed' {
  const verdicts = Object.entries(allowScripts)
    .filter(([key]) => names(key, name, version))
    .map(([, verdict]) => verdict);
  if (verdicts.includes(false)) return 'denied';
  return verdicts.includes(true) ? 'allowed' : 'unnamed';
}

/** A key is `name` or `name@versions`. */
function names(key: string, name: string, version: string): boolean {
  if (key === name) return true;
  return key.startsWith(`${name}@`) && satisfies(version, key.slice(name.length + 1));
}

/** Folder of the npm project that a folder belongs to: not that of a package below its node_modules. */
export function npmRoot(folder: string): string {
  const path = resolve(folder);
  const modules = path.indexOf(`${sep}node_modules${sep}`);
  return modules === -1 ? path : path.slice(0, modules);
}

function inFolder(folder: string, command: string): string {
  const path = relative('.', folder);
  return path === '' ? command : `cd ${quoted(path)} && ${command}`;
}
