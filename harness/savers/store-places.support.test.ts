// Where tests keep the stores of every backend that can start here.

import { createHash } from 'node:crypto';
import { describe, inject, it } from 'vitest';
import { BACKENDS, BACKEND_CAPABILITIES, type Backend } from '../record/names.js';
import type { StorePlace } from '../record/store-place.js';

const postgres = inject('postgres');

/** All of them, but for one whose server could not be started; that is told as a skipped test. */
export const BACKENDS_HERE: readonly Backend[] = BACKENDS.filter(
  (backend) => !BACKEND_CAPABILITIES[backend].server || !('missing' in postgres),
);

if ('missing' in postgres) describe('postgres', () => it.skip(postgres.missing, () => {}));

/** The store of a folder; the same folder is the same store again. */
export function placeOf(backend: Backend, dir: string): StorePlace {
  if (!BACKEND_CAPABILITIES[backend].server) return { dir, server: null };
  if ('missing' in postgres) throw new Error(postgres.missing);
  const name = createHash('sha256').update(dir).digest('hex').slice(0, 16);
  return { dir, server: { uri: postgres.uri, schema: `${postgres.schema}_${name}` } };
}
