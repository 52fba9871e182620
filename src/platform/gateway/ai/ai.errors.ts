import { DomainError } from '#libs/errors';

/** Neither the organization nor the platform has an enabled credential for the models of the request. */
export class NoCredentialIsUsable extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'no_credential';

  constructor(provider: string) {
    super(
      `There is no enabled credential for ${provider}. Add one for the organization, or name a model of another provider.`,
    );
  }
}

/** The limit of this process; other replicas may have room. */
export class TooManyStreams extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'too_many_streams';

  constructor(limit: number) {
    super(`This process serves its maximum of ${limit} concurrent streams. Try again in a moment.`, {
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
export class TooManyCallsWithFiles extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'too_many_calls';

  constructor(limit: number) {
    super(
      `This process serves its maximum of ${limit} concurrent images and transcriptions. Try again in a moment.`,
      { retryAfterSeconds: 1 },
    );
  }
}
