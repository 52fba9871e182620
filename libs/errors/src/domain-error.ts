/** The kind of an error in domain terms. #libs/http maps it to a status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'precondition'
  | 'too-large'
  | 'unsupported'
  | 'timeout'
  | 'unprocessable'
  | 'rate-limited'
  /** A service behind this one gave no usable response: the effect of the request is in doubt. */
  | 'bad-gateway'
  /** The same, because the time for the request is over. */
  | 'gateway-timeout'
  | 'unavailable';

/** The invalid part of a request: a JSON pointer into the body, a query parameter or a header. */
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
  /** For `rate-limited` and `unavailable`: when to retry. null: waiting does not help. */
  readonly retryAfterSeconds?: number | null;
  /** Additional members for clients, such as the current ETag. Never secrets. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * * The base of every error that callers see. The name of a subclass states the violated condition (`PostIsNotQueued`).
 * Subclasses define `kind` and `code`; `message` describes the occurrence.
 */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  /** Stable machine name, snake_case; part of the public contract. */
  abstract readonly code: string;
  /**
   * Whether the same request gets this error again. false: it is about credentials, configuration or limits, which change, so that an
   * Idempotency-Key does not keep it.
   */
  readonly isFinal: boolean = true;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds?: number | null;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(detail: string, options: DomainErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = new.target.name;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.members = options.members ?? {};
  }

  /** Derived from the code, so that a code has one title in all classes. */
  get title(): string {
    const words = this.code.replaceAll('_', ' ');
    return words.charAt(0).toUpperCase() + words.slice(1);
  }
}
