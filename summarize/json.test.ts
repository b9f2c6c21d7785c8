import { expect, test } from 'vitest';
import { deltaRow, failedBecause, fullRow, journalRows } from '../fixtures/journals/rows.js';
import { renderJson } from './json.js';
import { summarizeRows } from './summary.js';

test('the document is the summary, ends in a newline, and says null where nothing can be computed', () => {
  const rows = [fullRow(1, { write_p50_ms: 0 }), deltaRow(10, 1, { write_p50_ms: 2 })];
  const summary = summarizeRows([journalRows(rows)], ['write_p50_ms']);

  const text = renderJson(summary);

  expect(JSON.parse(text)).toEqual(summary);
  expect(text).toMatch(/\}\n$/);
  expect(text).toContain('"ratio_median": null');
});

test('control characters are escapes, and the text is still the same text', () => {
  const message = 'a\u009b2J\u007f\u2028\u001b\n"\\';
  const summary = summarizeRows([journalRows([fullRow(1, {}, failedBecause('exited', message))])], []);

  const text = renderJson(summary);

  for (const character of ['\u009b', '\u007f', '\u2028', '\u001b']) expect(text).not.toContain(character);
  expect(JSON.parse(text)).toEqual(summary);
});
