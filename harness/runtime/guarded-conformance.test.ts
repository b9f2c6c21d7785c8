// LangGraph's public conformance tests through the guard; those through caches and walks are a scenario of
// `deltaproof verify --wrapper`.

import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { deltaChannelHistoryTests, specTest } from '@langchain/langgraph-checkpoint-validation';
import * as vitest from 'vitest';
import { GuardedSaver } from './guarded-saver.js';
import { FULL } from './runtime.support.test.js';

// The tests of the delta history take them from there.
Object.assign(globalThis, vitest);

// By this name the tests know that a checkpoint holds all of its values.
const initializer = {
  checkpointerName: 'MemorySaver',
  createCheckpointer: () => new GuardedSaver(new MemorySaver(), FULL),
};

specTest(initializer);
deltaChannelHistoryTests(initializer);
