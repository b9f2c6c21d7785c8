// What the controller orders of the keeper of its Postgres server (harness/servers/keeper.ts), and what that answers: one
// JSON line each, the request first.

import { z } from 'zod';

export const keeperRequestSchema = z.object({
  /** Null: start a server of the run's own. */
  uri: z.string().nullable(),
  /** Where that one is to be; made by the keeper. */
  folder: z.string(),
  run_id: z.string().regex(/^[0-9a-f]{12}$/),
});
export type KeeperRequest = z.infer<typeof keeperRequestSchema>;

export const keeperOrderSchema = z.discriminatedUnion('kind', [
  /** Drop a schema, and those whose names begin with its name and an underscore. */
  z.object({ kind: z.literal('drop'), number: z.int(), schema: z.string() }),
  /** Is the server still there? */
  z.object({ kind: z.literal('ask'), number: z.int() }),
  /** Which schemas have runs left that no longer go on? */
  z.object({ kind: z.literal('list_leftovers'), number: z.int() }),
]);
export type KeeperOrder = z.infer<typeof keeperOrderSchema>;

/** A schema that a run has left which no longer goes on. */
const leftoverSchema = z.object({ schema: z.string(), bytes: z.number() });
export type LeftoverSchema = z.infer<typeof leftoverSchema>;

export const keeperAnswerSchema = z.discriminatedUnion('kind', [
  /** `server` says which one it is, without who may enter it. */
  z.object({ kind: z.literal('ready'), uri: z.string(), server: z.string() }),
  /** It could not be started or reached; the keeper ends. */
  z.object({ kind: z.literal('refused'), problem: z.string() }),
  /** The order of that number was carried out, or why it was not. */
  z.object({
    kind: z.literal('done'),
    number: z.int(),
    problem: z.string().nullable(),
    /** Empty where it was not asked for them. */
    leftovers: z.array(leftoverSchema),
  }),
  /** The server has ended or its connection broke. */
  z.object({ kind: z.literal('lost'), problem: z.string() }),
]);
export type KeeperAnswer = z.infer<typeof keeperAnswerSchema>;
