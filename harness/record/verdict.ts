// The three verdicts, and the exit code of a command in which several outcomes apply.

/** `undecided` never passes. */
export const VERDICTS = ['holds', 'violated', 'undecided'] as const;

/** What a command's exit code says; the same for every command. */
export const EXIT = {
  fine: 0,
  /** A fault of ours, or the journal cannot be written. */
  fault: 1,
  /** Usage, bad configuration or unreadable input. */
  usage: 2,
  /** A gate on rows, bytes, round trips or time. */
  gate: 3,
  /** Wrong state, broken chain, order that diverges. */
  correctness: 4,
  /** Undecided or not provable. */
  undecided: 5,
  /** A case failed, timed out, or its server died. */
  incomplete: 6,
  /** Something needed is missing or refuses. */
  missing: 7,
  /** Interrupted, resumable. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const PRECEDENCE: readonly ExitCode[] = [130, 2, 7, 1, 4, 6, 5, 3];

/** The one exit code for everything that applies; 0 when nothing does. */
export function exitCodeOf(applying: Iterable<ExitCode>): ExitCode {
  const codes = new Set(applying);
  return PRECEDENCE.find((code) => codes.has(code)) ?? EXIT.fine;
}
