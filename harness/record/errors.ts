// The one error that ends a command on purpose. Everything else that is thrown is a fault of ours.

import { EXIT, type ExitCode } from './verdict.js';

/** A whole sentence for the user, and the exit code that goes with it. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** Usage, bad configuration or unreadable input: exit code 2. */
export function usageError(message: string): CommandError {
  return new CommandError(message, EXIT.usage);
}
