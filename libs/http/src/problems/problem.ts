import type { ServerResponse } from 'node:http';
import type { FieldError } from '#libs/errors';
import { currentContext } from '../context/request-context.js';

/** The error format of every service: RFC 9457, media type `application/problem+json`. */
export interface Problem {
  readonly status: number;
  /** Stable machine name, snake_case. */
  readonly code: string;
  /** The same text for every occurrence of the code. */
  readonly title: string;
  /** A sentence about this occurrence, for people; never internals, secrets or a provider's raw text. */
  readonly detail: string;
  /** A URI for codes that are registered elsewhere, such as at IANA. */
  readonly type?: string;
  readonly errors?: readonly FieldError[];
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stored body as text; sent instead of a new one. */
  readonly storedBody?: string;
}

/** Refusals of the HTTP layer itself. Domain code throws `DomainError`. */
export class HttpProblem extends Error implements Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly type?: string;
  readonly errors?: readonly FieldError[];
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly storedBody?: string;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.detail, options);
    this.name = 'HttpProblem';
    this.status = problem.status;
    this.code = problem.code;
    this.title = problem.title;
    this.detail = problem.detail;
    this.type = problem.type;
    this.errors = problem.errors;
    this.members = problem.members;
    this.headers = problem.headers;
    this.storedBody = problem.storedBody;
  }
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

const RESERVED = new Set(['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors']);

/** The body of a problem. `type` is the `code` as a URN, the form that RFC 9457 asks for. */
export function problemBody(problem: Problem, requestId: string | null): Record<string, unknown> {
  const members = Object.entries(problem.members ?? {}).filter(([name]) => !RESERVED.has(name));
  return {
    type: problem.type ?? `urn:problem:${problem.code.replaceAll('_', '-')}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    ...(requestId ? { instance: `urn:request:${requestId}` } : {}),
    code: problem.code,
    ...(requestId ? { requestId } : {}),
    ...(problem.errors?.length ? { errors: problem.errors } : {}),
    ...Object.fromEntries(members),
  };
}

/** Headers of an unfinished success that no error may carry. */
const SUCCESS_HEADERS = [
  'ETag',
  'Last-Modified',
  'Content-Disposition',
  'Content-Encoding',
  'Link',
  'Location',
];

/**
 * Writes a problem. Headers that a guard has set, such as its challenge, stay. Closes the connection when the response has
 * already begun.
 */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const header of SUCCESS_HEADERS) response.removeHeader(header);
  for (const [name, value] of Object.entries(problem.headers ?? {})) {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
  response.statusCode = problem.status;
  response.setHeader('Content-Type', PROBLEM_MEDIA_TYPE);
  response.setHeader('Cache-Control', 'no-store');
  const text =
    problem.storedBody ?? JSON.stringify(problemBody(problem, currentContext()?.requestId ?? null));
  const body = Buffer.from(text);
  response.setHeader('Content-Length', body.length);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
