import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { messagesDeltaReducer, messagesStateReducer } from '@langchain/langgraph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatchReduce } from './delta-form.js';
import { REDUCER_LAWS, reducerFindings, type ReducerTrial } from './reducer-properties.js';

const RUNS = { seed: 1, runs: 200 };
const [TOGETHER, AGAIN, UNCHANGED] = REDUCER_LAWS;

const batches = fc.array(fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { maxLength: 3 }), { maxLength: 3 });
const lists = batches.map((given): ReducerTrial => ({ state: [], batches: given }));

const honest: BatchReduce = (state, writes) => [...(state as unknown[]), ...writes.flat()];

/** Broken in one way each: a reducer, and the laws that it breaks. */
const PLANTED: Readonly<Record<string, { reduce: BatchReduce; breaks: readonly string[] }>> = {
  'adds to the list it is given': {
    reduce: (state, writes) => {
      (state as unknown[]).push(...writes.flat());
      return state;
    },
    breaks: [UNCHANGED],
  },
  'adds to the list it is given once there is something in it': {
    reduce: (state, writes) => {
      const list = state as unknown[];
      if (list.length === 0) return writes.flat();
      list.push(...writes.flat());
      return list;
    },
    breaks: [UNCHANGED],
  },
  'empties the writes it is given': {
    reduce: (state, writes) => [
      ...(state as unknown[]),
      ...writes.flatMap((write) => (write as unknown[]).splice(0)),
    ],
    breaks: [UNCHANGED],
  },
  'shortens the batch it is given': {
    reduce: (state, writes) => {
      const all = [...(state as unknown[]), ...writes.flat()];
      writes.length = 0;
      return all;
    },
    breaks: [UNCHANGED],
  },
  'keeps only the last write of a batch': {
    reduce: (state, writes) => [...(state as unknown[]), ...((writes.at(-1) ?? []) as unknown[])],
    breaks: [TOGETHER],
  },
  'sorts a batch but not the list': {
    reduce: (state, writes) => [
      ...(state as unknown[]),
      ...(writes.flat() as number[]).toSorted((a, b) => a - b),
    ],
    breaks: [TOGETHER],
  },
  'refuses long batches': {
    reduce: (state, writes) => {
      if (writes.length > 3) throw new Error('Too long.');
      return honest(state, writes);
    },
    breaks: [TOGETHER],
  },
};

describe('A reducer of lists', () => {
  it('breaks no law when it is an honest one', () => {
    expect(reducerFindings(honest, lists, RUNS)).toEqual([]);
  });

  it.each(Object.entries(PLANTED))('that %s is found', (_, { reduce, breaks }) => {
    expect(reducerFindings(reduce, lists, RUNS).map(({ law }) => law)).toEqual(breaks);
  });

  it('that counts its calls is found', () => {
    let calls = 0;
    const counting: BatchReduce = (state, writes) => [...(honest(state, writes) as unknown[]), (calls += 1)];
    expect(reducerFindings(counting, lists, RUNS).map(({ law }) => law)).toContain(AGAIN);
  });

  it('that always refuses breaks no law, as it always says the same', () => {
    const refusing: BatchReduce = () => {
      throw new Error('No.');
    };
    expect(reducerFindings(refusing, lists, RUNS)).toEqual([]);
  });

  it('that refuses by another message each time is found', () => {
    let calls = 0;
    const refusing: BatchReduce = () => {
      throw new Error(`No, for the ${(calls += 1)}th time.`);
    };
    expect(reducerFindings(refusing, lists, RUNS).map(({ law }) => law)).toEqual([TOGETHER, AGAIN]);
  });

  it('that makes a cycle is compared all the same', () => {
    const cyclic: BatchReduce = (state, writes) => {
      const sizes = [...(state as { sizes: number[] }).sizes, writes.length];
      const next: { sizes: number[]; self?: unknown } = { sizes };
      next.self = next;
      return next;
    };
    const found = reducerFindings(cyclic, fc.constant({ state: { sizes: [] }, batches: [[1], [2]] }), RUNS);
    expect(found.map(({ law }) => law)).toEqual([TOGETHER]);
  });
});

describe('A finding', () => {
  it('shows the smallest trial and what was seen on it, and is found again by seed and path', () => {
    const { reduce } = PLANTED['keeps only the last write of a batch'] as { reduce: BatchReduce };
    const [finding] = reducerFindings(reduce, lists, RUNS);
    expect(finding).toMatchObject({ law: TOGETHER, seen: 'apart [0], together []' });
    expect(finding?.trial).toBe('{"batches":[[[0]],[[]]],"state":[]}');
    const [sample] = fc.sample(lists, { seed: RUNS.seed, path: finding?.path ?? '', numRuns: 1 });
    expect(JSON.stringify(sample?.batches)).toBe('[[[0]],[[]]]');
  });

  it('names the messages before and after by their fields', () => {
    const stamps: BatchReduce = (state, writes) => {
      const messages = writes.flat() as BaseMessage[];
      for (const message of messages) message.id ??= 'stamped';
      return [...(state as BaseMessage[]), ...messages];
    };
    const trial = fc.constant({ state: [], batches: [[[new HumanMessage('hi')]]] });
    const [finding] = reducerFindings(stamps, trial, RUNS);
    expect(finding?.law).toBe(UNCHANGED);
    expect(finding?.seen).toMatch(/^before .*"type":"human".*, after .*"id":"stamped"/);
  });
});

it('Messages are compared by the fields that digests cover, however deep they are', () => {
  let calls = 0;
  const wrapping: BatchReduce = (state, writes) => {
    const messages = (writes.flat() as BaseMessage[]).map(({ id = '', content }) => {
      const message = new HumanMessage({ id, content });
      message.lc_kwargs = { calls: (calls += 1) };
      return { message };
    });
    return [...(state as unknown[]), ...messages];
  };
  const trial = fc.constant({ state: [], batches: [[[new HumanMessage({ id: 'a', content: 'a' })]], [[]]] });
  expect(reducerFindings(wrapping, trial, RUNS)).toEqual([]);
});

describe('Of the reducers of messages', () => {
  const withoutIds = fc.constant({ state: [], batches: [[[{ role: 'user', content: 'hi' }]]] });

  it('messagesStateReducer, lifted, gives plain objects another id each time', () => {
    const lifted: BatchReduce = (state, writes) =>
      writes.reduce<BaseMessage[]>(
        (messages, write) => messagesStateReducer(messages, write as BaseMessage[]),
        state as BaseMessage[],
      );
    expect(reducerFindings(lifted, withoutIds, RUNS).map(({ law }) => law)).toEqual([TOGETHER, AGAIN]);
  });

  it('messagesDeltaReducer keeps all laws', () => {
    expect(reducerFindings(messagesDeltaReducer as BatchReduce, withoutIds, RUNS)).toEqual([]);
  });
});
