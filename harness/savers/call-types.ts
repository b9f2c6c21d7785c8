// LangGraph's own types of what a saver's methods take and give, by a name each. Types only.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';

export type Config = Parameters<BaseCheckpointSaver['getTuple']>[0];
export type ListOptions = Parameters<BaseCheckpointSaver['list']>[1];
export type HistoryOptions = Parameters<BaseCheckpointSaver['getDeltaChannelHistory']>[0];
export type Histories = Awaited<ReturnType<BaseCheckpointSaver['getDeltaChannelHistory']>>;
