// Savers of this project that stand before the one under test, by name. Data only; a test pins the list to the registry
// in `harness/savers/wrappers.ts`.

/** `ordered`: parallel writes in the order in which they were applied. */
export const WRAPPERS = ['ordered'] as const;
export type WrapperName = (typeof WRAPPERS)[number];
