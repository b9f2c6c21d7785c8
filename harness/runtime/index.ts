// `deltaproof/runtime`: what a service imports that keeps its threads in delta mode.

export {
  freezeChannelMode,
  frozenChannelMode,
  MODE_MARKER,
  type ChannelModeOptions,
} from './channel-mode.js';
export { CheckedWalkSaver } from './checked-walk-saver.js';
export {
  CheckpointRuntime,
  type BuildGraph,
  type PreparedRun,
  type RuntimeBuild,
  type RuntimeOptions,
} from './checkpoint-runtime.js';
export { DirectWalkSaver } from './direct-walk-saver.js';
export {
  CheckpointAncestorMissingError,
  CheckpointLineageIntegrityError,
  CheckpointModeMismatchError,
  CheckpointModeReconfigurationError,
  CheckpointNotFoundError,
  CheckpointParentMissingError,
  CheckpointResumeRejected,
  CheckpointRuntimeError,
  CheckpointUnreadableError,
  GraphUnavailableError,
  ModeNotInEffectError,
  PendingWritesError,
  RedisNotInstalledError,
  RollbackDisabledError,
  StateValuesError,
  UnguardedSaverError,
  type LineageFault,
} from './errors.js';
export { GuardedSaver } from './guarded-saver.js';
export { CachedHistorySaver, type CachedHistoryOptions } from './history-cache/cached-history-saver.js';
export type { HistoryStats } from './history-cache/history-stats.js';
export type { CacheStats, ChannelHistory, HistoryCache } from './history-cache/history-cache.js';
export { MemoryHistoryCache, type MemoryCacheOptions } from './history-cache/memory-history-cache.js';
export { openRedisHistoryCache, type RedisCacheOptions } from './history-cache/redis-history-cache.js';
export { ancestors, findAncestor, type LineageLimits } from './lineage.js';
export type { ServiceMetadata } from './metadata-checkpoint.js';
export type { RollbackPoint } from './rollback.js';
export type { GraphOrAgent, HistoryPage, RuntimeGraph } from './runtime-graph.js';
export type { StateAccessor } from './state-accessor.js';
export type { ChannelMode, CheckpointPlace } from './terms.js';
