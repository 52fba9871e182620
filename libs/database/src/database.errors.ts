import { DomainError } from '#libs/errors';

/** The database does not answer just now. Nothing was stored, or it is not known whether it was. */
export class DatabaseIsUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'database_unavailable';

  constructor(cause: unknown) {
    super('The database is not reachable just now. Try again in a moment.', { retryAfterSeconds: 2, cause });
  }
}

/** Class 08 is connection exceptions, 57P0x administrator shutdown and crash, 53300 too many connections (PostgreSQL, appendix A). */
const OUTAGE_SQLSTATE = /^(08...|57P0[1-5]|53300)$/;
const OUTAGE_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENOENT',
]);
const OUTAGE_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error/i;

export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && (OUTAGE_SQLSTATE.test(code) || OUTAGE_SYSTEM.has(code))) return true;
  return OUTAGE_MESSAGE.test(error.message);
}

/** Turns a lost connection into an error a caller may be told about; leaves every other error as it is. */
export async function namingOutages<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isOutage(error) ? new DatabaseIsUnavailable(error) : error;
  }
}
