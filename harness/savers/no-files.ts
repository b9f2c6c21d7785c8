// What a store says of files and of a driver that it has not.

import type { OpenStore } from './saver.js';

/** Of a store on a server, whose driver is known. */
export const NO_FILES = {
  fileBytes: () => null,
  checkpointToDisk: () => {},
  commitBeside: null,
  wal: null,
} as const satisfies Partial<OpenStore>;

/** Of a store that is neither in files nor behind a driver, as far as is known. */
export const NO_DATABASE = {
  ...NO_FILES,
  openFloor: null,
  server: null,
  pragmas: async () => ({}),
} as const satisfies Partial<OpenStore>;
