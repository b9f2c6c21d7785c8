// Whether two paths are one file, through links and relative spellings.

import { statSync } from 'node:fs';

/** Equal for equal files; null where there is no such file or it cannot be looked at. */
export function fileIdentity(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
