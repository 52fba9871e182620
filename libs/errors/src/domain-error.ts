/** What went wrong, in words the domain may use. The HTTP edge alone knows the status numbers (see #libs/http). */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'precondition'
  | 'too-large'
  | 'timeout'
  | 'unprocessable'
  | 'rate-limited'
  | 'unavailable';

/** Where a request is wrong: one of a JSON pointer into the body, a query parameter or a header. */
export interface FieldError {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  /** Stable machine name, snake_case. */
  readonly code: string;
  readonly detail: string;
}

export interface DomainErrorOptions {
  readonly errors?: readonly FieldError[];
  /** For `rate-limited` and `unavailable`: when asking again makes sense. */
  readonly retryAfterSeconds?: number;
  /** Further members a client may use, such as the current ETag. Never secrets. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * The base of every error that a caller is told about. Subclasses are named after what is wrong
 * (`PostIsNotQueued`) and fix `kind` and `code`; `message` is the sentence for this one occurrence.
 */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  /** Stable machine name, snake_case; part of the public contract. */
  abstract readonly code: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(detail: string, options: DomainErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = new.target.name;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.members = options.members ?? {};
  }

  /** The code as words: whichever class says it, a code has one title, and what differs cannot be told from it. */
  get title(): string {
    const words = this.code.replaceAll('_', ' ');
    return words.charAt(0).toUpperCase() + words.slice(1);
  }
}
