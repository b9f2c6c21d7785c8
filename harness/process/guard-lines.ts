// What a controller tells its guard (guard.ts), a line each: which process groups run, and which folder is the run's.
// Imports nothing, so that the guard stays small.

/** A child was started; it leads a process group of its own. */
export function groupStarted(pid: number): string {
  return `+${pid}\n`;
}

/** The group of that child was killed; its number may be another's from now on. */
export function groupEnded(pid: number): string {
  return `-${pid}\n`;
}

/** The run keeps its stores there. It is never taken back: to remove a folder that is gone does nothing. */
export function folderTold(path: string): string {
  return `folder ${JSON.stringify(path)}\n`;
}

/** What the lines so far leave to be ended and removed. */
export class Guarded {
  readonly groups = new Set<number>();
  readonly folders = new Set<string>();
  #rest = '';

  /** Takes the next part of the stream. A line that was cut off by the controller's end counts as nothing. */
  take(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    lines.forEach((line) => this.#apply(line));
  }

  #apply(line: string): void {
    const [, sign, digits] = /^([+-])([0-9]+)$/.exec(line) ?? [];
    const pid = Number(digits);
    // kill(2) takes 0 for the caller's own group, and -1 for every process there is.
    if (sign === '+' && pid > 1) this.groups.add(pid);
    if (sign === '-') this.groups.delete(pid);
    if (line.startsWith('folder ')) this.folders.add(JSON.parse(line.slice('folder '.length)) as string);
  }
}
