import { DomainError, domainError } from '#libs/errors';
import { isOverdue } from './client/overdue.js';

/** The database does not respond, or its state prevents the request. Nothing was stored, or the outcome is unknown. */
export class DatabaseIsUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code: 'database_unavailable' | 'database_timeout' = 'database_unavailable';

  constructor(cause: unknown) {
    super('The database cannot take this request just now. Try again in a moment.', {
      retryAfterSeconds: 2,
      cause,
    });
  }
}

/** Behind a pooler, the response did not arrive in time. Unlike with StatementTookTooLong, a write or COMMIT may have been stored. */
export class DatabaseTimedOut extends DatabaseIsUnavailable {
  override readonly code = 'database_timeout';
}

/** A statement, the wait for a lock included, reached its time limit. Nothing of its transaction was stored. */
export class StatementTookTooLong extends domainError(
  'unavailable',
  'database_timeout',
  (cause: unknown) => ({
    detail: 'The database did not finish in time. Try again later, or ask for less.',
    retryAfterSeconds: 5,
    cause,
  }),
) {}

/** Class 08 is connection exceptions, 57P0x administrator shutdown and crash, 53300 too many connections (PostgreSQL, appendix A). */
const OUTAGE_SQLSTATE = /^(08...|57P0[1-5]|53300)$/;

/** Network errors. ENOENT is the missing socket of a local server. */
const OUTAGE_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);
const OUTAGE_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|client was closed/i;

/**
 * Errors of the database's state, not of the statement: conflicts, no space, no memory, a cancelled query, a read-only
 * replica, a transaction timeout (PostgreSQL, appendix A).
 */
const TRANSIENT_SQLSTATE = /^(40...|53...|57...|58...|25006|25P0[34]|55006|55P03)$/;

/** Whether an error of unknown origin reports an outage of PostgreSQL. System codes do not count: any file or socket has them. */
export function isOutage(error: unknown): boolean {
  return (
    isOverdue(error) ||
    OUTAGE_SQLSTATE.test(codeOf(error)) ||
    OUTAGE_MESSAGE.test(String((error as Error | null)?.message))
  );
}

/**
 * Class 28 is invalid authorization, 3D000 a database that does not exist, 42501 a missing CONNECT privilege (PostgreSQL,
 * appendix A).
 */
const REFUSAL_SQLSTATE = /^(28...|3D000|42501)$/;

/** PgBouncer before 1.21 gives every error the SQLSTATE 08P01, outages too; only the texts differ (client.c). */
const POOLER_REFUSAL = /authentication failed|no such (user|database)/i;

/** Whether the server refuses this user, password or database. For connection errors only. */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  if (code === '08P01') return POOLER_REFUSAL.test(String((error as Error).message));
  return REFUSAL_SQLSTATE.test(code);
}

/** Whether a timeout or an operator cancelled a statement. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** Whether a retry may succeed, because only the state of the database caused the error. */
export function isTransient(error: unknown): boolean {
  return error instanceof DatabaseIsUnavailable || isOutage(error) || TRANSIENT_SQLSTATE.test(codeOf(error));
}

/** Class 22 is data exceptions (PostgreSQL, appendix A): these values can never be stored, such as a number out of range. */
export const isDataError = (error: unknown): boolean => /^22...$/.test(codeOf(error));

/**
 * Whether another row has the key of a unique index already (PostgreSQL, appendix A).
 * @param constraint of this index; default: of any
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const isOfIndex = constraint === undefined || (error as { constraint?: unknown }).constraint === constraint;
  return codeOf(error) === '23505' && isOfIndex;
}

/** Converts a lost connection into DatabaseIsUnavailable; rethrows other errors. For driver calls only. */
export async function namingOutages<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isAway = isOutage(error) || OUTAGE_SYSTEM.has(codeOf(error));
    throw isAway ? outageOf(error) : error;
  }
}

/** @param error an outage */
export function outageOf(error: unknown): DatabaseIsUnavailable {
  return isOverdue(error) ? new DatabaseTimedOut(error) : new DatabaseIsUnavailable(error);
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}
