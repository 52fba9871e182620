/** A pooler, or the server behind it, did not answer in time. Whether the statement takes effect is not known. */
export class AnswerIsOverdue extends Error {
  constructor(cause: unknown) {
    super('No answer of the database within the time limit of the statement and a margin.', { cause });
    this.name = 'AnswerIsOverdue';
  }
}

/** Also inside TypeORM's QueryFailedError. */
export const isOverdue = (error: unknown): boolean =>
  error instanceof AnswerIsOverdue ||
  (error as { driverError?: unknown } | null | undefined)?.driverError instanceof AnswerIsOverdue;

/** Of pg, when `query_timeout` is over (pg/lib/client.js). */
export const isReadTimeout = (error: unknown): boolean =>
  (error as Error | null | undefined)?.message === 'Query read timeout';
