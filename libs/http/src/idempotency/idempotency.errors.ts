import { domainError } from '#libs/errors';

/** The first request with the key still runs. */
export class IdempotentRequestIsRunning extends domainError('conflict', 'idempotent_request_running', {
  detail: 'A request with this Idempotency-Key is still running. Ask again in a moment.',
  retryAfterSeconds: 1,
}) {}

/** The key was used before with another body or query. Not the response of the request that this key belongs to. */
export class IdempotencyKeyIsTaken extends domainError('unprocessable', 'idempotency_key_reused', {
  detail: 'This Idempotency-Key was used for a different request. Use a new key for a new request.',
  isFinal: false,
}) {}
