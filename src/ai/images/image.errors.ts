import { DomainError, domainError, type ErrorKind } from '#libs/errors';

/** Only people who administer the organization choose another model than its default, and operators. */
export class ModelOverrideIsNotPermitted extends domainError('forbidden', 'model_override_not_permitted', {
  detail: 'Only administrators of the organization may name a model. Leave it out to use the default.',
  errors: [{ pointer: '#/model', code: 'not_permitted', detail: 'may be named by administrators only' }],
}) {}

/** Of this service, over all replicas; no provider was asked. */
export class ImageLimitIsReached extends domainError(
  'rate-limited',
  'image_limit_reached',
  (limit: number, retryAfterSeconds: number) => ({
    detail: `The organization has asked for its ${limit} pictures of this hour. Try again later.`,
    retryAfterSeconds,
  }),
) {}

/** Of this process; no provider was asked. Other replicas may have room. */
export class TooManyImagesAtOnce extends domainError(
  'rate-limited',
  'too_many_images_at_once',
  (limit: number) => ({
    detail: `This process waits for at most ${limit} pictures, and has no room for another one, or not beyond the share of the organization. Try again in a moment.`,
    retryAfterSeconds: 2,
  }),
) {}

/** A limit of the providers after the whole fallback chain, or of the organization's spend. */
export class ImageIsLimited extends DomainError {
  readonly kind = 'rate-limited';

  /** @param code of the gateway @param retryAfterMs null: waiting does not help, or for how long is not known */
  constructor(
    readonly code: string,
    detail: string,
    retryAfterMs: number | null,
  ) {
    super(detail, { retryAfterSeconds: retryAfterMs === null ? null : retryAfterMs / 1_000 });
  }
}

/** Of the processes of the gateway; no provider was asked. */
export class ImageGatewayIsBusy extends domainError(
  'rate-limited',
  'image_gateway_busy',
  (retryAfterMs: number | null) => ({
    detail: 'The provider gateway has no room for another picture. Try again in a moment.',
    retryAfterSeconds: (retryAfterMs ?? 2_000) / 1_000,
  }),
) {}

/** The prompt, the size or the model needs to be another one, such as `content_policy`. */
export class ImageIsRefused extends DomainError {
  readonly kind: ErrorKind;

  constructor(
    readonly code: string,
    detail: string,
  ) {
    super(detail);
    this.kind = code === 'model_not_allowed' ? 'forbidden' : 'unprocessable';
  }
}

export class ImagesAreNotSetUp extends domainError('unavailable', 'images_not_set_up', (reason: string) => ({
  detail: `Pictures by AI models are not set up (${reason}). An operator must complete the provider gateway.`,
  retryAfterSeconds: 60,
})) {}

export class ImageProvidersAreUnavailable extends domainError(
  'unavailable',
  'image_providers_unavailable',
  (reason: string) =>
    `No provider of pictures could be reached (${reason}). Nothing was billed. Try again in a moment.`,
) {}

export class ImageIsStillDrawn extends domainError(
  'unavailable',
  'image_still_drawn',
  'An earlier request with this Idempotency-Key is still running. Repeat the request with the same key.',
) {}

export class NoWholeImageArrived extends DomainError {
  readonly kind = 'bad-gateway';

  /** @param code of the gateway, such as `provider_response_unreadable`, or `image_too_large` */
  constructor(readonly code: string) {
    super(
      'The providers sent no whole picture of an accepted size, and may have billed it. A repeated request asks them again.',
    );
  }
}

/** The connection to the gateway was lost: whether the picture was drawn and billed is not known here. */
export class ImageIsInDoubt extends domainError(
  'bad-gateway',
  'image_in_doubt',
  'The provider gateway sent no response. Repeat the request with the same Idempotency-Key: a picture that was drawn is not paid for again.',
) {}
