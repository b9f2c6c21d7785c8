// Where a store is to be, as the controller tells its children.

import { z } from 'zod';

/** A schema on a database server. The URI may hold a password: it goes down a pipe and into no file, row or message. */
export const schemaPlaceSchema = z.object({
  uri: z.string(),
  /** Its name, or what the names of several begin with; see {@link SCHEMA_NAME}. */
  schema: z.string(),
});
export type SchemaPlace = z.infer<typeof schemaPlaceSchema>;

/** Every schema that this tool makes has such a name, and it touches no other. */
export const SCHEMA_NAME = /^deltaproof_[a-z0-9_]+$/;

/** In the folder of a server that a run has started: which process it is, as {@link ProcessIdentity} in JSON. */
export const SERVER_FILE_NAME = 'server.json';

/** Of the connection that holds on to a run's schemas; it writes nothing while a case runs. */
export const KEEPER_NAME = 'deltaproof-keeper';

/** A store's own folder and, for a backend with a server, its own schema. */
export interface StorePlace {
  readonly dir: string;
  readonly server: SchemaPlace | null;
}
