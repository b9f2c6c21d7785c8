// `deltaproof/graphs`: what a graph of one's own imports.

export { CannotLiftError } from './cannot-lift.js';
export type { GraphBuild, GraphModule, TurnOptions } from './own-graph.js';
export { withDeltaMessages, type DeltaMessagesOptions } from './with-delta-messages.js';
