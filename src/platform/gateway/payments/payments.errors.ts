import { domainError } from '#libs/errors';

/** Also for an object of another organization or application. */
export class PaymentObjectNotFound extends domainError(
  'not-found',
  'payment_object_not_found',
  (name: string) => `The ${name} does not exist.`,
) {}

export class NoPaymentCredential extends domainError(
  'unprocessable',
  'no_credential',
  'No enabled credential of the payment provider may be used. Enable the one of the organization, or that of the platform where the organization has none.',
) {}

/** Objects of two accounts of the provider cannot be combined. */
export class PaymentAccountsDiffer extends domainError(
  'unprocessable',
  'payment_accounts_differ',
  'These objects belong to different accounts of the payment provider. Create them again in one account.',
) {}

export class ProductIsNotStatedOnce extends domainError('invalid', 'product_not_stated_once', {
  detail: 'Send productId of an existing product or productData for a new one, and not both.',
  errors: [
    { pointer: '#/productId', code: 'not_stated_once', detail: 'send productId or productData' },
    { pointer: '#/productData', code: 'not_stated_once', detail: 'send productId or productData' },
  ],
}) {}

export class ReturnAddressIsNotAllowed extends domainError(
  'invalid',
  'return_address_not_allowed',
  (field: string) => ({
    detail: 'The origin of a return address must be one of PAYMENT_RETURN_ORIGINS.',
    errors: [{ pointer: `#/${field}`, code: 'origin_not_allowed', detail: 'must have an allowed origin' }],
  }),
) {}

export class PaymentRequestIsNotValid extends domainError(
  'invalid',
  'payment_request_not_valid',
  (field: string, detail: string) => ({
    detail: `${field} ${detail}.`,
    errors: [{ pointer: `#/${field}`, code: 'not_valid', detail }],
  }),
) {}

/** As the provider refused it; nothing changed there. */
export interface PaymentRefusal {
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  readonly declineCode: string | null;
}

export class PaymentIsRefused extends domainError(
  'unprocessable',
  'payment_refused',
  ({ status, code, param, declineCode }: PaymentRefusal) => ({
    detail: 'The payment provider refuses the request. providerCode and providerParam are its reason.',
    members: {
      providerStatus: status,
      providerCode: code,
      providerParam: param,
      providerDeclineCode: declineCode,
    },
  }),
) {}

export class PaymentCredentialIsRefused extends domainError(
  'bad-gateway',
  'provider_credential',
  'The payment provider does not accept the credential. Replace it; nothing was changed.',
) {}

export class PaymentProviderIsUnreachable extends domainError(
  'unavailable',
  'provider_unreachable',
  'The payment provider could not be reached. Nothing was sent; try again in a moment.',
) {}

export class PaymentProviderLimitsRequests extends domainError(
  'rate-limited',
  'provider_rate_limited',
  (retryAfterSeconds: number) => ({
    detail: 'The payment provider limits requests. Nothing was changed; try again later.',
    retryAfterSeconds,
  }),
) {}

/** Not known, or not stored. The gateway repeats the call with the same key of the provider until it is. */
export class PaymentOutcomeIsUnknown extends domainError(
  'bad-gateway',
  'payment_outcome_unknown',
  (operationId: string) => ({
    detail:
      'The outcome of the request is not known, and it may have had its effect. Repeat it with the same Idempotency-Key, or read the operation.',
    members: { operationId },
  }),
) {}

/** Of a read. */
export class PaymentProviderGaveNoAnswer extends domainError(
  'bad-gateway',
  'provider_no_answer',
  'The payment provider gave no usable response. Nothing was changed; try again.',
) {}

/** Repetitions of the other change could overwrite this one. */
export class PaymentChangeIsInProgress extends domainError(
  'conflict',
  'payment_change_in_progress',
  (operationId: string) => ({
    detail:
      'Another change of this object has no known outcome yet. Repeat that one with its Idempotency-Key, or read its operation until it ends, and then send this one again.',
    members: { operationId },
  }),
) {}

export class WebhookIsNotAuthentic extends domainError(
  'invalid',
  'webhook_not_authentic',
  (detail: string) => detail,
) {}
