import { expect, it } from 'vitest';
import { folderTold, groupEnded, groupStarted, Guarded } from './guard-lines.js';

function after(...parts: string[]): { groups: number[]; folders: string[] } {
  const guarded = new Guarded();
  parts.forEach((part) => guarded.take(part));
  return { groups: [...guarded.groups], folders: [...guarded.folders] };
}

it('lists a group from its start to its end, however the lines are cut into parts', () => {
  const lines = [groupStarted(301), groupStarted(302), groupEnded(301), groupStarted(303)].join('');
  for (let cut = 0; cut <= lines.length; cut += 1) {
    expect(after(lines.slice(0, cut), lines.slice(cut)).groups).toEqual([302, 303]);
  }
});

it('takes no number from a line that was cut off, since it would be the number of another group', () => {
  expect(after(groupStarted(301), '+30').groups).toEqual([301]);
  expect(after(groupStarted(301), '-301').groups).toEqual([301]);
});

it('never lists 0, which is its own group, nor 1, whose negative is every process', () => {
  expect(after('+0\n+1\n+-1\n+\n+ 1\n+1e3\n').groups).toEqual([]);
});

it('keeps the path of a folder as it is, with line ends in it', () => {
  expect(after(folderTold('/tmp/a\n+305\n "b"')).folders).toEqual(['/tmp/a\n+305\n "b"']);
});
