// Whether npm is set to run no install script, read where npm reads it: the first place that sets it decides.

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Name of the place that has `ignore-scripts=true`; null where it is not set or false. */
export function ignoresScripts(
  folder: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | null {
  const variable = (name: string) =>
    Object.entries(env).find(([key]) => key.toLowerCase() === `npm_config_${name}`)?.[1];
  const globalConfig = join(dirname(dirname(process.execPath)), 'etc', 'npmrc');
  const places: readonly (readonly [string, string | undefined])[] = [
    ['the environment', variable('ignore_scripts')],
    ["the folder's .npmrc", settingIn(join(folder, '.npmrc'))],
    ["the user's .npmrc", settingIn(variable('userconfig') ?? join(homedir(), '.npmrc'))],
    ['the global npmrc', settingIn(variable('globalconfig') ?? globalConfig)],
  ];
  const [place, setting] = places.find(([, value]) => value !== undefined) ?? [null];
  return setting === 'true' ? place : null;
}

/** A key without a value is true. */
function settingIn(path: string): string | undefined {
  try {
    const [, value] = /^[ \t]*ignore-scripts[ \t]*(?:=[ \t]*"?(\w*)"?[ \t]*)?\r?$/m.exec(
      readFileSync(path, 'utf8'),
    ) ?? [null, null];
    return value === null ? undefined : (value ?? 'true');
  } catch {
    return undefined;
  }
}
