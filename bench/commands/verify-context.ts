// What a verification is run with: its options, and what the command has made for it. Types only.

import type { Places } from '../../harness/controller/places.js';
import type { Provenance } from '../../harness/record/provenance.js';
import type { Streams } from './command.js';
import type { VerifyCommandOptions } from './verify-options.js';

export interface VerifyContext extends VerifyCommandOptions {
  readonly worker: URL;
  readonly maxRssBytes: null;
  readonly provenance: Provenance;
  readonly streams: Streams;
  readonly places: Places;
}
