import { DomainError } from '#libs/errors';

/** The database does not answer just now. Nothing was stored, or it is not known whether it was. */
export class DatabaseIsUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'database_unavailable';

  constructor(cause: unknown) {
    super('The database is not reachable just now. Try again in a moment.', { retryAfterSeconds: 2, cause });
  }
}

/** A statement, the wait for a lock included, reached its time limit. Nothing of its transaction was stored. */
export class StatementTookTooLong extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'database_timeout';

  constructor(cause: unknown) {
    super('The database did not finish in time. Try again later, or ask for less.', {
      retryAfterSeconds: 5,
      cause,
    });
  }
}

/** Class 08 is connection exceptions, 57P0x administrator shutdown and crash, 53300 too many connections (PostgreSQL, appendix A). */
const OUTAGE_SQLSTATE = /^(08...|57P0[1-5]|53300)$/;

/** On the way to the server. ENOENT is the missing socket of one on this machine. */
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
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error/i;

/**
 * The database's state is at fault, not what it was asked: transactions in each other's way, no space, no memory, somebody
 * who ended the query, a read-only replica, a transaction cut for its age (PostgreSQL, appendix A).
 */
const PASSING_SQLSTATE = /^(40...|53...|57...|58...|25006|25P0[34]|55006|55P03)$/;

/** Whether an error of unknown origin says itself that PostgreSQL is away. Codes of the system may come from any file or socket. */
export function isOutage(error: unknown): boolean {
  return OUTAGE_SQLSTATE.test(codeOf(error)) || OUTAGE_MESSAGE.test(String((error as Error | null)?.message));
}

/**
 * Class 28 is invalid authorization, 3D000 a database that does not exist, 42501 a missing CONNECT privilege (PostgreSQL,
 * appendix A).
 */
const REFUSAL_SQLSTATE = /^(28...|3D000|42501)$/;

/** PgBouncer before 1.21 gives every error the SQLSTATE 08P01, outages too; its texts tell them apart (client.c). */
const POOLER_REFUSAL = /authentication failed|no such (user|database)/i;

/** Whether the server refuses to open a connection for this user, password or database. For errors of connecting alone. */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  if (code === '08P01') return POOLER_REFUSAL.test(String((error as Error).message));
  return REFUSAL_SQLSTATE.test(code);
}

/** Whether the server ended a statement for its time, or a person did. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** Whether the same may succeed later, because only the state of the database was in its way. */
export function isPassing(error: unknown): boolean {
  return error instanceof DatabaseIsUnavailable || isOutage(error) || PASSING_SQLSTATE.test(codeOf(error));
}

/** Turns a lost connection into an error a caller may be told about; leaves others as they are. For calls of the driver alone. */
export async function namingOutages<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isAway = isOutage(error) || OUTAGE_SYSTEM.has(codeOf(error));
    throw isAway ? new DatabaseIsUnavailable(error) : error;
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}
