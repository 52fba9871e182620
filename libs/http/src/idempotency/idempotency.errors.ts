import { DomainError } from '#libs/errors';

/** The first request with the key still runs. */
export class IdempotentRequestIsRunning extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'idempotent_request_running';

  constructor() {
    super('A request with this Idempotency-Key is still running. Ask again in a moment.', {
      retryAfterSeconds: 1,
    });
  }
}

/** The key was used before with another body or query. */
export class IdempotencyKeyIsTaken extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'idempotency_key_reused';
  /** Not the response of the request that this key belongs to. */
  override readonly isFinal = false;

  constructor() {
    super('This Idempotency-Key was used for a different request. Use a new key for a new request.');
  }
}
