// Tells errors of the machine, the network or a database server from those of a saver. Pure.

/** No room, or a disk that fails or takes no writes. */
const DISK = /^(?:SQLITE_(?:FULL|IOERR|READONLY)|ENOSPC|EDQUOT|EIO|EROFS|EMFILE|ENFILE)/;

/** A server that cannot be reached, or whose connection broke. */
const NETWORK =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(?:HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN)$/;

/**
 * What a server answers for itself, by its code (https://www.postgresql.org/docs/18/errcodes-appendix.html): a connection
 * exception (08), no login (28) or no right (42501), no database (3D000), no writes (25006), timeouts (25P03, 25P04, 55P03,
 * 57014), no resources such as disk and connections (53), an end by its operator (57P0), its disk (58), broken data (XX001).
 */
const SERVER = /^(?:(?:08|28|53|58)[0-9A-Z]{3}|57P0\d|57014|25006|25P0[34]|55P03|3D000|42501|XX00[12])$/;

/** What pg says where it has no code. */
const DRIVER =
  /^(?:Connection terminated|timeout expired$|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether an error, or one behind it, says nothing of the saver that throws it. */
export function isMachineError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause, errors } = error as Error & { readonly code?: unknown; readonly errors?: unknown };
  const behind: unknown[] = [cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return (
    (typeof code === 'string' && [DISK, NETWORK, SERVER].some((codes) => codes.test(code))) ||
    DRIVER.test(error.message) ||
    behind.some((each) => each !== error && isMachineError(each))
  );
}
