// Graphs and agents that are compiled with a state definition of each kind, and the threads that tests run through them.

import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { ChatResult } from '@langchain/core/outputs';
import { END, START, StateGraph, type StateDefinitionInit } from '@langchain/langgraph';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import type { StoredRecord } from '../chain/records.js';
import { openMemory } from '../savers/memory.js';

interface ThreadConfig {
  readonly configurable: { readonly thread_id: string };
}

/** The part of a compiled graph that tests use. */
export interface TestGraph {
  invoke(input: unknown, config: ThreadConfig): Promise<unknown>;
  getState(config: ThreadConfig): Promise<{ readonly values: unknown }>;
}

export type Compile = (definition: unknown, saver: BaseCheckpointSaver) => TestGraph;

interface UntypedGraph {
  addNode(name: string, run: (state: NodeState) => unknown): void;
  addEdge(from: string, to: string): void;
  compile(options: { checkpointer: BaseCheckpointSaver }): TestGraph;
}

interface NodeState {
  readonly messages?: readonly BaseMessage[];
  readonly count?: number;
}

/** START -> the node -> END. */
export function compileNode(run: (state: NodeState) => unknown): Compile {
  return (definition, saver) => {
    const graph = new StateGraph(definition as StateDefinitionInit) as unknown as UntypedGraph;
    graph.addNode('node', run);
    graph.addEdge(START, 'node');
    graph.addEdge('node', END);
    return graph.compile({ checkpointer: saver });
  };
}

/** START -> a node that answers and counts -> END. */
export const compileGraph = compileNode(({ messages = [], count = 0 }) => ({
  messages: [new AIMessage({ id: `ai-${messages.length}`, content: `${messages.length} before` })],
  count: count + 1,
}));

/** An agent whose model calls a tool on every human message and then answers. */
export const compileAgent: Compile = (definition, saver) => {
  const stateSchema = definition as StateDefinitionInit | undefined;
  return createAgent({
    model: new ScriptedModel({}),
    tools: [echo],
    checkpointer: saver,
    ...(stateSchema === undefined ? {} : { stateSchema }),
  });
};

const echo = tool(
  ({ text }, { toolCall }: { toolCall?: { id?: string } }) =>
    new ToolMessage({ id: `tool-${text}`, content: text, tool_call_id: toolCall?.id ?? '' }),
  { name: 'echo', description: 'Gives the text back.', schema: z.object({ text: z.string() }) },
);

export class ScriptedModel extends BaseChatModel {
  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  override _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const id = `ai-${messages.length}`;
    const call = { name: 'echo', args: { text: `${messages.length}` }, id: `call-${messages.length}` };
    const asked = HumanMessage.isInstance(messages.at(-1));
    const message = new AIMessage({
      id,
      content: asked ? '' : `${messages.length} before`,
      tool_calls: asked ? [call] : [],
    });
    return Promise.resolve({ generations: [{ text: '', message }] });
  }
}

export interface Played {
  /** What `invoke` returned and what a graph compiled anew reads, turn by turn. */
  readonly states: readonly unknown[];
  readonly records: readonly StoredRecord[];
}

const THREAD = { configurable: { thread_id: 'thread' } };

export async function play(
  compile: Compile,
  definition: unknown,
  inputs: readonly unknown[],
): Promise<Played> {
  const store = await openMemory();
  const graph = compile(definition, store.saver);
  const states: unknown[] = [];
  for (const input of inputs) {
    states.push(await graph.invoke(input, THREAD));
    states.push((await compile(definition, store.saver).getState(THREAD)).values);
  }
  return { states, records: [...(await store.records(THREAD.configurable.thread_id))] };
}

export function humanTurns(turns: number): unknown[] {
  return Array.from({ length: turns }, (_, turn) => ({
    messages: [new HumanMessage({ id: `human-${turn}`, content: `turn ${turn}` })],
  }));
}
