// Loads the packages that the worker loads for a case on memory, and ends: what a case cannot start without.

export * as messages from '@langchain/core/messages';
export * as langgraph from '@langchain/langgraph';
export * as checkpoint from '@langchain/langgraph-checkpoint';
export * as canonicalize from 'canonicalize';
export * as uniformInt from 'pure-rand/distribution/uniformInt';
export * as xoroshiro128plus from 'pure-rand/generator/xoroshiro128plus';
export * as tinybench from 'tinybench';
export * as zod from 'zod';
