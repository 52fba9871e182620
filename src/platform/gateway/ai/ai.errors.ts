import { DomainError } from '#libs/errors';

/** Neither the organization nor the platform has an enabled credential for the models of the request. */
export class NoCredentialIsUsable extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'no_credential';
  override readonly isFinal = false;

  constructor(provider: string) {
    super(
      `There is no enabled credential for ${provider}. Add one for the organization, or name a model of another provider.`,
    );
  }
}

const SHARED = 'has no room for it, or not beyond the share of the organization. Try again in a moment.';

/** The limit of this process; other replicas may have room. */
export class TooManyStreams extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'too_many_streams';

  constructor(limit: number) {
    super(`This process serves at most ${limit} concurrent completions, and ${SHARED}`, {
      retryAfterSeconds: 1,
    });
  }
}

/** A stream cannot be replayed. */
export class StreamTakesNoKey extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'idempotency_key_with_stream';

  constructor() {
    super('A stream cannot be repeated by its key. Leave out Idempotency-Key or stream.', {
      errors: [
        {
          header: 'Idempotency-Key',
          code: 'not_allowed',
          detail: 'must be left out when stream is true',
        },
      ],
    });
  }
}

/** The limit of this process; other replicas may have room. */
export class TooManyCalls extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'too_many_calls';

  constructor(limit: number, kind: 'completions' | 'images and transcriptions') {
    super(`This process serves at most ${limit} concurrent ${kind}, and ${SHARED}`, {
      retryAfterSeconds: 1,
    });
  }
}

/** The limit of this process; other replicas may have room. */
export class TooManyBytes extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'too_many_bytes';

  constructor(limit: number, kind: 'requests' | 'images') {
    super(`This process holds at most ${limit} bytes of ${kind}, and ${SHARED}`, {
      retryAfterSeconds: 1,
    });
  }
}

/** Thrown before the body is read. */
export class BodyIsTooLarge extends DomainError {
  readonly kind = 'too-large';
  readonly code = 'too_large';

  constructor(maxBytes: number) {
    super(`The body is larger than ${maxBytes} bytes. Send fewer or smaller images.`, {
      members: { maxBytes },
    });
  }
}
