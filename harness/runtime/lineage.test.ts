import { MemorySaver, type CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { expect, it } from 'vitest';
import { checkpointId, configOf, putCheckpoint } from '../../fixtures/scenarios/rows-by-hand.js';
import {
  CheckpointLineageIntegrityError,
  CheckpointNotFoundError,
  CheckpointParentMissingError,
} from './errors.js';
import { ancestors, findAncestor } from './lineage.js';

const ROOT_STEP = 0;

/** Checkpoints 0 to 5, each the child of the one before, and 6 as a second child of 2. */
async function branched(): Promise<MemorySaver> {
  const saver = new MemorySaver();
  for (let step = ROOT_STEP; step <= 5; step += 1) {
    await putCheckpoint(saver, step, step === ROOT_STEP ? null : step - 1);
  }
  await putCheckpoint(saver, 6, 2);
  return saver;
}

async function ordinals(walk: AsyncIterable<CheckpointTuple>): Promise<number[]> {
  const all: number[] = [];
  for await (const { checkpoint } of walk) all.push(Number(checkpoint.id.slice(-12)));
  return all;
}

const isOrdinal = (ordinal: number) => (tuple: CheckpointTuple) =>
  tuple.checkpoint.id === checkpointId(ordinal);

it('walks the parents of a branch and no sibling', async () => {
  const saver = await branched();
  expect(await ordinals(ancestors(saver, configOf(checkpointId(6))))).toEqual([6, 2, 1, 0]);
  expect(await ordinals(ancestors(saver, configOf(null)))).toEqual([6, 2, 1, 0]);
  expect(await ordinals(ancestors(saver, configOf(checkpointId(4))))).toEqual([4, 3, 2, 1, 0]);
});

it('finds the nearest ancestor, and never a sibling', async () => {
  const saver = await branched();
  expect((await findAncestor(saver, configOf(null), isOrdinal(1)))?.checkpoint.id).toBe(checkpointId(1));
  expect(await findAncestor(saver, configOf(null), isOrdinal(4))).toBeNull();
});

it('scans by time only where a checkpoint that is no root names no parent', async () => {
  const saver = await branched();
  await putCheckpoint(saver, 7, null);
  await putCheckpoint(saver, 8, 7);
  await expect(ordinals(ancestors(saver, configOf(null)))).rejects.toThrow(CheckpointParentMissingError);
  expect((await findAncestor(saver, configOf(null), isOrdinal(5)))?.checkpoint.id).toBe(checkpointId(5));
  expect(await findAncestor(saver, configOf(null), isOrdinal(5), { scanLimit: 1 })).toBeNull();
});

it('takes a dangling parent for what it is', async () => {
  const saver = await branched();
  delete saver.storage['thread']?.['']?.[checkpointId(2)];
  const walk = findAncestor(saver, configOf(checkpointId(4)), isOrdinal(0));
  await expect(walk).rejects.toThrow(CheckpointLineageIntegrityError);
  await expect(walk).rejects.toMatchObject({
    fault: 'dangling_parent',
    place: { checkpointId: checkpointId(2) },
  });
});

it('ends at a circle', async () => {
  const saver = await branched();
  await putCheckpoint(saver, 1, 4);
  await expect(findAncestor(saver, configOf(checkpointId(5)), isOrdinal(0))).rejects.toMatchObject({
    name: 'CheckpointLineageIntegrityError',
    fault: 'cycle',
  });
});

it('refuses a saver that gives another checkpoint', async () => {
  const saver = await branched();
  const other = await saver.getTuple(configOf(checkpointId(0)));
  Object.assign(saver, { getTuple: () => Promise.resolve(other) });
  await expect(findAncestor(saver, configOf(checkpointId(5)), () => true)).rejects.toMatchObject({
    fault: 'wrong_target',
  });
});

it('goes no deeper than it may', async () => {
  const saver = await branched();
  await expect(
    findAncestor(saver, configOf(checkpointId(5)), isOrdinal(0), { maxDepth: 5 }),
  ).rejects.toMatchObject({
    fault: 'too_deep',
  });
  expect(await findAncestor(saver, configOf(checkpointId(5)), isOrdinal(0), { maxDepth: 6 })).not.toBeNull();
});

it('says so when the checkpoint to start at is not there', async () => {
  await expect(findAncestor(await branched(), configOf(checkpointId(9)), () => true)).rejects.toThrow(
    CheckpointNotFoundError,
  );
});
