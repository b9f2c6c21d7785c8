// How often the children of a case read, as the plan and the children both need to know it.

/** Samples of each kind of read in the writer; the median of nine lies between the 2nd and 8th with 96% confidence. */
export const READ_SAMPLES = 9;

/** Samples of a read that is pinned to a checkpoint, and how many phases are drawn beside 0, 1, K/2 and K-1. */
export const PINNED_READ_SAMPLES = 5;
export const RANDOM_PHASES = 4;

/** First turns of a service that are run and not measured: code is compiled and caches are filled by then. */
export const DISCARDED_TURNS = 2;

/** How long a service is put under load. */
export const LOAD_SECONDS = 10;

/** Cold reads of a page through the routes: the median of five lies between the ends with 94% confidence. */
export const COLD_SAMPLES = 5;

/** Fresh processes that read the store of a case, where the backend's stores outlive a process. */
export const READERS_PER_CASE = 3;
