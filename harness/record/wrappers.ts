// Savers of this project that can stand before the one under test, by name. Data only; a test pins the list to the
// registry in `harness/savers/wrappers.ts`.

/** What each does, as the rest of a sentence. */
export const WRAPPERS = {
  ordered: 'gives the writes of parallel tasks in the order in which they were applied',
  'unique-versions': 'gives every branch of a thread versions of its own',
} as const;

export type WrapperName = keyof typeof WRAPPERS;
export const WRAPPER_NAMES = Object.keys(WRAPPERS) as [WrapperName, ...WrapperName[]];
