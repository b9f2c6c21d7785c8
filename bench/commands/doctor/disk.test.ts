import { expect, it } from 'vitest';
import { fileSystemOf } from '../../../harness/record/file-systems.js';
import { judgeDisk } from './disk.js';

const GB = 1_000_000_000;
const [EXT4, TMPFS, NFS] = [0xef53, 0x01021994, 0x6969].map(fileSystemOf);

function judged(freeBytes: number, fileSystem: typeof EXT4) {
  return judgeDisk({ freeBytes, fileSystem: fileSystem ?? null });
}

it('tells what is free and on what', () => {
  expect(judged(85.1 * GB, EXT4)).toEqual([
    {
      check: 'disk',
      status: 'fine',
      what: 'The work folder has 85.1 GB free on ext4.',
      facts: { free_bytes: 85.1 * GB, file_system: 'ext4' },
      fix: null,
    },
  ]);
});

it('names no file system where the system does not', () => {
  expect(judged(3 * GB, undefined)[0]).toMatchObject({
    status: 'fine',
    what: 'The work folder has 3.00 GB free.',
  });
});

it('warns below 2 GB', () => {
  const [warning] = judged(2 * GB - 1, EXT4);
  expect(warning).toMatchObject({ status: 'warning', fix: expect.stringContaining('--work-dir') });
  expect(judged(2 * GB, EXT4)).toMatchObject([{ status: 'fine' }]);
});

it('warns of memory, and of a disk behind a network', () => {
  expect(judged(3 * GB, TMPFS)).toMatchObject([
    { status: 'warning', what: expect.stringContaining('memory, not disk') },
  ]);
  expect(judged(3 * GB, NFS)).toMatchObject([
    { status: 'warning', what: expect.stringContaining('write-ahead log') },
  ]);
  expect(judged(1 * GB, TMPFS)).toHaveLength(2);
});
