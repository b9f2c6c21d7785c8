// In how many ways a scenario is run: modes, cadences and reducers.

import { z } from 'zod';
import { MODES } from './names.js';

/**
 * Which reducer the channels of a cell have. `plain`: lists and maps, the same one lifted into both modes.
 * `messages_state`: messagesStateReducer, lifted in delta. `messages_delta`: messagesDeltaReducer, in delta only.
 */
export const REDUCERS = ['plain', 'messages_state', 'messages_delta'] as const;
export type Reducer = (typeof REDUCERS)[number];

/** One way of running a scenario. */
export const cellSchema = z.object({
  mode: z.enum(MODES),
  /** K; null in full mode, and where a writer that is killed draws it at every start. */
  snapshot_frequency: z.int().positive().nullable(),
  reducer: z.enum(REDUCERS),
});
export type Cell = z.infer<typeof cellSchema>;

/** The cell in the words of reports: `full`, `delta K=3`, `delta K=3 messages_delta`. */
export function cellName({ mode, snapshot_frequency: k, reducer }: Cell): string {
  const words: (string | null)[] = [mode, k === null ? null : `K=${k}`, reducer === 'plain' ? null : reducer];
  return words.filter((word) => word !== null).join(' ');
}
