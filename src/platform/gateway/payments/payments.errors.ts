import { DomainError } from '#libs/errors';

/** Also for an object of another organization or application. */
export class PaymentObjectNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'payment_object_not_found';

  constructor(name: string) {
    super(`The ${name} does not exist.`);
  }
}

export class NoPaymentCredential extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'no_credential';

  constructor() {
    super(
      'No enabled credential of the payment provider may be used. Enable the one of the organization, or that of the platform where the organization has none.',
    );
  }
}

/** Objects of two accounts of the provider cannot be combined. */
export class PaymentAccountsDiffer extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'payment_accounts_differ';

  constructor() {
    super(
      'These objects belong to different accounts of the payment provider. Create them again in one account.',
    );
  }
}

export class ProductIsNotStatedOnce extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'product_not_stated_once';

  constructor() {
    super('Send productId of an existing product or productData for a new one, and not both.', {
      errors: [
        { pointer: '#/productId', code: 'not_stated_once', detail: 'send productId or productData' },
        { pointer: '#/productData', code: 'not_stated_once', detail: 'send productId or productData' },
      ],
    });
  }
}

export class ReturnAddressIsNotAllowed extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'return_address_not_allowed';

  constructor(field: string) {
    super('The origin of a return address must be one of PAYMENT_RETURN_ORIGINS.', {
      errors: [{ pointer: `#/${field}`, code: 'origin_not_allowed', detail: 'must have an allowed origin' }],
    });
  }
}

export class PaymentRequestIsNotValid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'payment_request_not_valid';

  constructor(field: string, detail: string) {
    super(`${field} ${detail}.`, { errors: [{ pointer: `#/${field}`, code: 'not_valid', detail }] });
  }
}

/** As the provider refused it; nothing changed there. */
export interface PaymentRefusal {
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  readonly declineCode: string | null;
}

export class PaymentIsRefused extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'payment_refused';

  constructor({ status, code, param, declineCode }: PaymentRefusal) {
    super('The payment provider refuses the request. providerCode and providerParam are its reason.', {
      members: {
        providerStatus: status,
        providerCode: code,
        providerParam: param,
        providerDeclineCode: declineCode,
      },
    });
  }
}

export class PaymentCredentialIsRefused extends DomainError {
  readonly kind = 'bad-gateway';
  readonly code = 'provider_credential';

  constructor() {
    super('The payment provider does not accept the credential. Replace it; nothing was changed.');
  }
}

export class PaymentProviderIsUnreachable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'provider_unreachable';

  constructor() {
    super('The payment provider could not be reached. Nothing was sent; try again in a moment.');
  }
}

export class PaymentProviderLimitsRequests extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'provider_rate_limited';

  constructor(retryAfterSeconds: number) {
    super('The payment provider limits requests. Nothing was changed; try again later.', {
      retryAfterSeconds,
    });
  }
}

/** Not known, or not stored. The gateway repeats the call with the same key of the provider until it is. */
export class PaymentOutcomeIsUnknown extends DomainError {
  readonly kind = 'bad-gateway';
  readonly code = 'payment_outcome_unknown';

  constructor(operationId: string) {
    super(
      'The outcome of the request is not known, and it may have had its effect. Repeat it with the same Idempotency-Key, or read the operation.',
      { members: { operationId } },
    );
  }
}

/** Of a read. */
export class PaymentProviderGaveNoAnswer extends DomainError {
  readonly kind = 'bad-gateway';
  readonly code = 'provider_no_answer';

  constructor() {
    super('The payment provider gave no usable response. Nothing was changed; try again.');
  }
}

export class PaymentOperationIsRunning extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'idempotent_request_running';

  constructor() {
    super('A request with this Idempotency-Key is still running. Ask again in a moment.', {
      retryAfterSeconds: 1,
    });
  }
}

/** Repetitions of the other change could overwrite this one. */
export class PaymentChangeIsInProgress extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'payment_change_in_progress';

  constructor(operationId: string) {
    super(
      'Another change of this object has no known outcome yet. Repeat that one with its Idempotency-Key, or read its operation until it ends, and then send this one again.',
      { members: { operationId } },
    );
  }
}

export class IdempotencyKeyIsReused extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'idempotency_key_reused';

  constructor() {
    super('This Idempotency-Key was used for a different request. Use a new key for a new request.');
  }
}

export class WebhookIsNotAuthentic extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'webhook_not_authentic';

  constructor(detail: string) {
    super(detail);
  }
}
