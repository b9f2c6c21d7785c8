// A summary as one JSON document.

import { visible } from '../harness/record/scrub.js';
import type { Summary } from './summary-shape.js';

/** Indented, one trailing newline; control characters that JSON leaves as they are come out as escapes. */
export function renderJson(summary: Summary): string {
  const lines = JSON.stringify(summary, null, 2).split('\n');
  // Outside of strings JSON has no such character, and what `visible` writes is a JSON escape.
  return `${lines.map(visible).join('\n')}\n`;
}
