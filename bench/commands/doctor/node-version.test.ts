import { expect, it } from 'vitest';
import { judgeNode } from './node-version.js';

it('misses a Node that is too old, and says how to get another', () => {
  expect(judgeNode('20.18.3', '>=20.19')).toMatchObject({
    status: 'missing',
    what: 'Node 20.18.3 is not one that this runs on (>=20.19).',
    fix: expect.stringContaining('nvm install'),
  });
});

it.each(['20.19.0', '24.1.0', '26.0.0-nightly'])('takes Node %s', (version) => {
  expect(judgeNode(version, '>=20.19')).toMatchObject({ status: 'fine', fix: null });
});
