import { HttpException } from '@nestjs/common';
import { isTransient, isTimeout, outageOf, StatementTookTooLong } from '#libs/database';
import { DomainError } from '#libs/errors';
import { HttpProblem, type Problem, problemBody } from './problem.js';
import { STATUS_OF_KIND, textsFor } from './status-texts.js';

const DEFAULT_RETRY_SECONDS = 5;

/** The one place that maps exceptions to problems. Every error not known to be the caller's is a 500 without details. */
export function problemOf(exception: unknown): Problem {
  if (exception instanceof HttpProblem) return exception;
  if (exception instanceof DomainError) return problemOfDomainError(exception);
  if (isTimeout(exception)) return problemOfDomainError(new StatementTookTooLong(exception));
  if (isTransient(exception)) return problemOfDomainError(outageOf(exception));
  if (exception instanceof HttpException) return problemOfHttpException(exception);
  return problemOfForeignError(exception);
}

/** The body of the response to an error, for errors within a response that has begun. @param requestId as in X-Request-Id */
export const problemBodyOf = (exception: unknown, requestId: string | null): Record<string, unknown> =>
  problemBody(problemOf(exception), requestId);

function problemOfDomainError(error: DomainError): Problem {
  const status = STATUS_OF_KIND[error.kind];
  return {
    status,
    code: error.code,
    title: error.title,
    detail: error.message,
    errors: error.errors,
    members: error.members,
    headers: {
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="api", error="invalid_token"' } : {}),
      ...retryAfter(status, error.retryAfterSeconds),
    },
  };
}

/**
 * Seconds instead of a date, because clocks differ. Always set where the caller should retry, else if the error has it.
 * @param seconds null: the header is left out, because waiting does not help
 */
function retryAfter(status: number, seconds?: number | null): Record<string, string> {
  if (seconds === null || (seconds === undefined && status !== 429 && status !== 503)) return {};
  return { 'Retry-After': String(Math.max(1, Math.ceil(seconds ?? DEFAULT_RETRY_SECONDS))) };
}

/** Nest's exceptions: only the messages of client errors are repeated. */
function problemOfHttpException(exception: HttpException): Problem {
  const status = exception.getStatus();
  const response = exception.getResponse();
  const message = typeof response === 'string' ? response : (response as { message?: unknown }).message;
  if (Array.isArray(message)) {
    const errors = message.map((detail) => ({ code: 'invalid', detail: String(detail) }));
    return { ...byStatus(status), errors };
  }
  return byStatus(status, typeof message === 'string' ? message : exception.message);
}

/** Errors of libraries such as body-parser, multer or the router: only client errors are kept. */
function problemOfForeignError(error: unknown): Problem {
  const { status, statusCode, expose, name, code } = (error ?? {}) as Record<string, unknown>;
  if (name === 'MulterError')
    return byStatus(code === 'LIMIT_FILE_SIZE' ? 413 : 400, (error as Error).message);
  const claimed = status ?? statusCode;
  const isTheCallers = typeof claimed === 'number' && claimed >= 400 && claimed < 500;
  if (!isTheCallers) return byStatus(500);
  return byStatus(claimed, expose === true ? (error as Error).message : undefined);
}

function byStatus(status: number, detail?: string): Problem {
  const known = Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500;
  const words = textsFor(known);
  const challenge: Record<string, string> = known === 401 ? { 'WWW-Authenticate': 'Bearer realm="api"' } : {};
  const headers = { ...challenge, ...retryAfter(known) };
  return { status: known, ...words, ...(detail && known < 500 ? { detail } : {}), headers };
}
