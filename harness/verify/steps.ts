// Names of steps that the ledger knows.

/** At the end of the name of a step: a run with `durability: exit` was there before, or is this one. */
export const AFTER_EXIT = ', a run stored at its end';
