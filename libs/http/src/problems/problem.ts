import type { FieldError } from '#libs/errors';

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
