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
  /**
   * Whether the same request gets this error again, which is the default. false: it is about credentials, configuration or limits,
   * which change, so that an Idempotency-Key does not keep it.
   */
  readonly isFinal?: boolean;
}

/** What callers see of one occurrence of an error. */
export interface Occurrence extends DomainErrorOptions {
  readonly detail: string;
}

/** The base of every error that callers see. Extended by `domainError`, or directly where the kind or the code varies. */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  /** Stable machine name, snake_case; part of the public contract. */
  abstract readonly code: string;
  readonly isFinal: boolean;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds?: number | null;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(detail: string, options: DomainErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = new.target.name;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.members = options.members ?? {};
    this.isFinal = options.isFinal ?? true;
  }

  /** Derived from the code, so that a code has one title in all classes. */
  get title(): string {
    const words = this.code.replaceAll('_', ' ');
    return words.charAt(0).toUpperCase() + words.slice(1);
  }
}

/**
 * Declares an error of one kind and code. The name of the class states the violated condition:
 * `class PostNotFound extends domainError('not-found', 'post_not_found', 'The post does not exist. Check its id.') {}`.
 * @param occurrence what callers see; a function of the arguments of the constructor where it depends on them
 */
export function domainError<
  const Kind extends ErrorKind,
  const Code extends string,
  Args extends readonly unknown[] = [],
>(kind: Kind, code: Code, occurrence: string | Occurrence | ((...args: Args) => string | Occurrence)) {
  return class extends DomainError {
    static readonly kind = kind;
    static readonly code = code;
    readonly kind = kind;
    readonly code = code;

    constructor(...args: Args) {
      const seen = typeof occurrence === 'function' ? occurrence(...args) : occurrence;
      if (typeof seen === 'string') super(seen);
      else super(seen.detail, seen);
    }
  };
}
