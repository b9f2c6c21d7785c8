// When a read that throws is as right as one that gives the state: it says that what it would be rebuilt from is gone.

/** By name: savers may come from another copy of the package, or be the user's own. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'CheckpointAncestorMissingError';
}
