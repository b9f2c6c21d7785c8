// What a run of the tests is set to, apart from its child and its places.

import { exampleProvenance } from '../../fixtures/journals/rows.js';
import { NO_MODULES } from '../record/own-modules.js';

export function exampleRunSettings() {
  const never = new AbortController().signal;
  return {
    packagesDir: null,
    modules: NO_MODULES,
    redisUrl: null,
    timeoutMs: 10_000,
    maxRssBytes: null,
    profileDir: null,
    provenance: exampleProvenance(),
    jobs: 1,
    keepStoresDir: null,
    stopStarting: never,
    stopNow: never,
  };
}
