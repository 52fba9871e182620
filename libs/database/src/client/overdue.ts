/** A pooler, or the server behind it, did not respond in time. Whether the statement takes effect is not known. */
export class ResponseIsOverdue extends Error {
  constructor(cause: unknown) {
    super(
      'No response of the database within the time limit of the statement and a margin. Check whether the statement took effect, then try again.',
      { cause },
    );
    this.name = 'ResponseIsOverdue';
  }
}

/** Also inside TypeORM's QueryFailedError. */
export const isOverdue = (error: unknown): boolean =>
  error instanceof ResponseIsOverdue ||
  (error as { driverError?: unknown } | null | undefined)?.driverError instanceof ResponseIsOverdue;

/** Of pg, when `query_timeout` is over (pg/lib/client.js). */
export const isReadTimeout = (error: unknown): boolean =>
  (error as Error | null | undefined)?.message === 'Query read timeout';
