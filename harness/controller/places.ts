// Where the stores of a run's cases are: a folder each and, on the run's database server, a schema each.

import { basename } from 'node:path';
import type { DatabaseServer } from '../process/postgres-server.js';
import type { WorkFolder } from '../process/work-folder.js';
import type { SchemaPlace } from '../record/store-place.js';

export interface CasePlace {
  readonly storeDir: string;
  /** Null where the run has no server. */
  readonly schema: SchemaPlace | null;
}

export class Places {
  readonly #workFolder: WorkFolder;
  readonly #server: DatabaseServer | null;
  #serverProblem: string | null = null;

  constructor(workFolder: WorkFolder, server: DatabaseServer | null) {
    this.#workFolder = workFolder;
    this.#server = server;
  }

  /** Which server it is; null where the run has none. */
  get serverName(): string | null {
    return this.#server?.name ?? null;
  }

  /** Why stores can no longer be made on the server, once {@link serverProblem} has told. */
  get lost(): string | null {
    return this.#serverProblem;
  }

  make(): CasePlace {
    const storeDir = this.#workFolder.makeCaseFolder();
    return { storeDir, schema: this.#server?.schemaOf(basename(storeDir)) ?? null };
  }

  /** With everything in it. Never throws. */
  async remove({ storeDir, schema }: CasePlace): Promise<void> {
    this.#workFolder.removeCaseFolder(storeDir);
    if (schema !== null) await this.#server?.drop(schema);
  }

  /** Asked when a case has failed: a server that is gone explains it. */
  async serverProblem(): Promise<string | null> {
    this.#serverProblem ??= (await this.#server?.problem()) ?? null;
    return this.#serverProblem;
  }
}
