import { json, type SandboxResponse } from '../../wire/response.js';
import type { Refusal } from '../../wire/site.js';

interface Details {
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
}

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

/** A refusal in the provider's format. `isKept`: execution began, so that a repeated idempotency key gets it again. */
export class PaymentProblem extends Error {
  override name = 'PaymentProblem';

  constructor(
    readonly status: number,
    readonly type: ErrorType,
    message: string,
    readonly details: Details = {},
    readonly isKept = false,
  ) {
    super(message);
  }

  get response(): SandboxResponse {
    return problem(this.status, this.type, this.message, this.details);
  }
}

export function problem(
  status: number,
  type: ErrorType,
  message: string,
  details: Details = {},
): SandboxResponse {
  return json(status, { error: { ...details, message, type } });
}

export const unknownAddress = (status: number): SandboxResponse =>
  problem(status, 'invalid_request_error', 'Unrecognized request URL.');

export const invalid = (message: string, param: string, code?: string): PaymentProblem =>
  new PaymentProblem(400, 'invalid_request_error', message, { param, ...(code && { code }) });

export const missingParam = (param: string): PaymentProblem =>
  invalid(`Missing required param: ${param}.`, param, 'parameter_missing');

/** A reference inside a request: 400; the object of the path itself: 404. */
export const noSuch = (kind: string, id: string, param: string, status = 400): PaymentProblem =>
  new PaymentProblem(status, 'invalid_request_error', `No such ${kind}: '${id}'`, {
    code: 'resource_missing',
    param,
  });

export const cardDeclined = (): PaymentProblem =>
  new PaymentProblem(
    402,
    'card_error',
    'Your card was declined.',
    { code: 'card_declined', decline_code: 'generic_decline' },
    true,
  );

export function refusal(given: Refusal): SandboxResponse {
  switch (given.kind) {
    case 'rate-limited':
    case 'usage-capped':
      return problem(
        429,
        'invalid_request_error',
        'Request rate limit exceeded. Learn more about rate limits at the documentation.',
        { code: 'rate_limit' },
      );
    case 'unauthorized':
      return problem(401, 'invalid_request_error', 'Invalid API Key provided.');
    case 'forbidden':
      return problem(
        403,
        'invalid_request_error',
        'The provided key does not have the required permissions.',
      );
    case 'server-error':
      return given.status === 409
        ? keyInUse()
        : problem(given.status, 'api_error', 'An unknown error occurred.');
  }
}

export const keyInUse = (): SandboxResponse =>
  problem(
    409,
    'idempotency_error',
    'There is currently another in-progress request using this Idempotency-Key.',
    { code: 'idempotency_key_in_use' },
  );
