import type { FieldError } from '#libs/errors';

/** An error as every service tells it: RFC 9457, media type `application/problem+json`. */
export interface Problem {
  readonly status: number;
  /** Stable machine name, snake_case. */
  readonly code: string;
  /** The same words for every occurrence of the code. */
  readonly title: string;
  /** A sentence about this occurrence, for people; never internals, secrets or a provider's raw text. */
  readonly detail: string;
  /** A URI where the code has one of its own elsewhere, such as IANA's registry. */
  readonly type?: string;
  readonly errors?: readonly FieldError[];
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as text where it was made before; sent instead of one made now. */
  readonly storedBody?: string;
}

/** What only the HTTP edge refuses, before any domain is asked. Domains throw `DomainError`. */
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

/** The body of an answer. `type` is a name, not an address: `code` in the form that RFC 9457 asks for. */
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
