// A turn as what its supersteps add to a list, for threads that were cut short in one. Pure.

/** The names that each superstep adds; several names of one superstep are those of parallel tasks. */
export type Supersteps = readonly (readonly string[])[];

/** How many supersteps of a turn can be in a list, by its length. */
export function superstepsIn(list: readonly unknown[], before: readonly unknown[], turn: Supersteps): number {
  let length = before.length;
  const tooFar = turn.findIndex((names) => {
    length += names.length;
    return length > list.length;
  });
  return tooFar === -1 ? turn.length : tooFar;
}
