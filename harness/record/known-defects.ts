// The ledger: defects of released packages that `deltaproof verify` shows, each with exactly what it shows.

import { DEFECTS_OF_LANGGRAPH } from './defects-of-langgraph.js';
import { DEFECTS_OF_POSTGRES } from './defects-of-postgres.js';
import { DEFECTS_OF_SAVERS } from './defects-of-savers.js';
import { DEFECTS_OF_SERIALIZER } from './defects-of-serializer.js';
import type { KnownDefect } from './known-defect.js';

export const KNOWN_DEFECTS: readonly KnownDefect[] = [
  ...DEFECTS_OF_SAVERS,
  ...DEFECTS_OF_POSTGRES,
  ...DEFECTS_OF_SERIALIZER,
  ...DEFECTS_OF_LANGGRAPH,
].toSorted((a, b) => numberOf(a) - numberOf(b));

function numberOf({ id }: KnownDefect): number {
  return Number(id.slice(1));
}
