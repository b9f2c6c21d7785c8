// What a package.json says that a check asks for: of this project, of a folder that `--packages` names.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ReadManifest {
  readonly version?: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

/** Empty where there is none or it cannot be read: what needs it says so by itself. */
export function readManifest(folder: string): ReadManifest {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null ? manifest : {};
  } catch {
    return {};
  }
}
