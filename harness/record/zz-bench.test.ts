import { test } from 'vitest';
import {
  mkdtempSync,
  openSync,
  writeSync,
  closeSync,
  writeFileSync,
  rmSync,
  readFileSync,
  fsyncSync,
} from 'node:fs';
import { readJournalLines, encodeLine, problemOf } from '/work/main/harness/record/journal-lines.js';
import { openJournal, append } from '/work/main/harness/record/journal.js';
import { fullRow } from '/work/main/fixtures/journals/rows.js';
const t = (name: string, f: () => unknown, n = 1) => {
  const s = performance.now();
  let r;
  for (let i = 0; i < n; i++) r = f();
  console.log(
    name,
    ((performance.now() - s) / n).toFixed(2),
    'ms',
    r,
    'rss',
    (process.resourceUsage().maxRSS / 1024).toFixed(0),
  );
};
const d = mkdtempSync('/tmp/bench/d-');
test('bench', () => {
  const p = d + '/big';
  const fd = openSync(p, 'w');
  const c = Buffer.alloc(1e6, 0x78);
  for (let i = 0; i < 300; i++) writeSync(fd, c);
  closeSync(fd);
  t('before', () => 0);
  t('300MB line', () => {
    const l = [...readJournalLines(p)];
    return l.map((x: any) => x.kind + x.problem + x.at.bytes.length).join();
  });
  rmSync(p);
  writeFileSync(p, Buffer.alloc(60e6, 0x5b));
  t('deep', () => {
    try {
      return [...readJournalLines(p)].map((x: any) => x.kind).join();
    } catch (e) {
      return String(e).slice(0, 200);
    }
  });
  const row = fullRow(1, {}, {});
  row.measurement!.samples_ms.write = Array.from({ length: 110000 }, (_, i) => ((i * 7919) % 100003) / 1000);
  const bytes = encodeLine(row);
  console.log('row bytes', bytes.length);
  const j = openJournal(d + '/j', 'new').journal;
  j.append(row);
  t('append 1MB', () => j.append(row), 30);
  t('problemOf', () => problemOf(row), 30);
  t('encode', () => encodeLine(row).length, 30);
  const f2 = openSync(d + '/k', 'a');
  t('append() bytes only', () => append(f2, bytes), 30);
  const small = fullRow(2);
  t('append small', () => j.append(small), 200);
  t('append() small bytes only', () => append(f2, encodeLine(small)), 200);
  t('problemOf small', () => problemOf(small), 100000);
  const q = d + '/many';
  const one = encodeLine(small).toString();
  writeFileSync(q, one.repeat(100000));
  t('read 100k rows', () => {
    let n = 0;
    for (const l of readJournalLines(q)) if (l.kind === 'line') n++;
    return n;
  });
  rmSync(d, { recursive: true });
}, 600000);
