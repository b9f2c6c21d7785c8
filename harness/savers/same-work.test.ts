import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeltaSnapshot, MemorySaver } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import { sameWork } from './same-work.js';
import { openStore } from './saver.js';

function recorded() {
  const serialized: unknown[] = [];
  const committed: number[] = [];
  const { serde } = new MemorySaver();
  const work = sameWork(
    {
      serde: {
        ...serde,
        loadsTyped: serde.loadsTyped.bind(serde),
        dumpsTyped: (value: unknown) => {
          serialized.push(value);
          return serde.dumpsTyped(value);
        },
      },
    },
    (bytes) => committed.push(bytes.length),
  );
  return { work, serialized, committed };
}

const many = Array.from({ length: 80 }, (_, index) => index);

describe('the work of a saver without its effect', () => {
  it('serializes each value and commits one row, before it returns', () => {
    const { work, serialized, committed } = recorded();
    work(['a', { step: 1 }]);
    expect({ serialized, committed }).toEqual({ serialized: ['a', { step: 1 }], committed: [2048] });
  });

  it('takes of long lists the last fifty elements, wherever they are', () => {
    const { work, serialized } = recorded();
    const last = many.slice(-50);
    work([many, { id: 'c', channel_values: { a: many, b: new DeltaSnapshot(many), c: 1 } }]);
    expect(serialized).toEqual([
      last,
      { id: 'c', channel_values: { a: last, b: new DeltaSnapshot(last), c: 1 } },
    ]);
    expect(many).toHaveLength(80);
  });

  it('is without a commit where there is no driver, and leaves no file where there is one', async () => {
    expect((await openStore('memory', { dir: '', server: null })).commitBeside).toBeNull();
    const folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
    const store = await openStore('sqlite', { dir: folder, server: null });
    const before = readdirSync(folder);
    store.commitBeside?.(new Uint8Array(2048));
    expect(readdirSync(folder)).toEqual(before);
    await store.close();
    rmSync(folder, { recursive: true });
  });
});
