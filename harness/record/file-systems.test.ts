import { expect, it } from 'vitest';
import { fileSystemOf } from './file-systems.js';

it.each([
  [0xef53, { name: 'ext4', isMemory: false, isNetwork: false }],
  [0x01021994, { name: 'tmpfs', isMemory: true, isNetwork: false }],
  [0x6969, { name: 'nfs', isMemory: false, isNetwork: true }],
  [1, { name: null, isMemory: false, isNetwork: false }],
])('%i is known for what it is', (magic, fileSystem) => {
  expect(fileSystemOf(magic)).toEqual(fileSystem);
});

it('knows a number whose first bit was taken for a sign', () => {
  expect(fileSystemOf(0x9123683e | 0).name).toBe('btrfs');
});
