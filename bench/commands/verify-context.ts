// What a verification is run with: its options, and what the command has made for it. Types only.

import type { WorkFolder } from '../../harness/process/work-folder.js';
import type { Provenance } from '../../harness/record/row.js';
import type { Streams } from './command.js';
import type { VerifyCommandOptions } from './verify-options.js';

export interface VerifyContext extends VerifyCommandOptions {
  readonly worker: URL;
  readonly maxRssBytes: null;
  readonly provenance: Provenance;
  readonly streams: Streams;
  readonly workFolder: WorkFolder;
}
