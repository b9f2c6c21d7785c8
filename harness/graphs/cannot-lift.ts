// Why a state definition cannot be lifted into delta.

/** A channel or a state definition that cannot be lifted into delta; the message is one whole sentence. */
export class CannotLiftError extends Error {
  override readonly name = 'CannotLiftError';
}
