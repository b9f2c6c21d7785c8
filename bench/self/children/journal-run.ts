// What a child that went through a journal says of it.

export interface JournalRun {
  /** Lines that were read. */
  readonly lines: number;
  /** From the start of the process. */
  readonly elapsed_ms: number;
  readonly peak_rss_bytes: number;
}
