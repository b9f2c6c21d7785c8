// A saver or a graph of the user's own: what the plan and the rows know of it. It is loaded by children alone.

import { z } from 'zod';

const name = z
  .string('no text')
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'not a name of small letters, digits and dashes');

export const ownSaverSchema = z.object({
  name,
  /** A store outlives its saver: opening its folder again, also in another process, finds what was stored. */
  persistent: z.boolean('neither true nor false'),
});
export type OwnSaver = z.infer<typeof ownSaverSchema>;

export const ownGraphSchema = z.object({ name });
export type OwnGraph = z.infer<typeof ownGraphSchema>;

/** Absolute paths of the modules of a run, for its children; null where the run has none. */
export const modulePathsSchema = z.object({ saver: z.string().nullable(), graph: z.string().nullable() });
export type ModulePaths = z.infer<typeof modulePathsSchema>;

export const NO_MODULES: ModulePaths = { saver: null, graph: null };
