// How often the children of a case read, as the plan and the children both need to know it.

/** Samples of each kind of read in the writer; the median of nine lies between the 2nd and 8th with 96% confidence. */
export const READ_SAMPLES = 9;

/** Fresh processes that read the store of a case, where the backend's stores outlive a process. */
export const READERS_PER_CASE = 3;
