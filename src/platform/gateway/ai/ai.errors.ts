import { domainError } from '#libs/errors';

/** Neither the organization nor the platform has an enabled credential for the models of the request. */
export class NoCredentialIsUsable extends domainError(
  'unprocessable',
  'no_credential',
  (provider: string) => ({
    detail: `There is no enabled credential for ${provider}. Add one for the organization, or name a model of another provider.`,
    isFinal: false,
  }),
) {}

const SHARED = 'has no room for it, or not beyond the share of the organization. Try again in a moment.';

/** The limit of this process; other replicas may have room. */
export class TooManyStreams extends domainError('rate-limited', 'too_many_streams', (limit: number) => ({
  detail: `This process serves at most ${limit} concurrent completions, and ${SHARED}`,
  retryAfterSeconds: 1,
})) {}

/** A stream cannot be replayed. */
export class StreamTakesNoKey extends domainError('invalid', 'idempotency_key_with_stream', {
  detail: 'A stream cannot be repeated by its key. Leave out Idempotency-Key or stream.',
  errors: [
    {
      header: 'Idempotency-Key',
      code: 'not_allowed',
      detail: 'must be left out when stream is true',
    },
  ],
}) {}

/** The limit of this process; other replicas may have room. */
export class TooManyCalls extends domainError(
  'rate-limited',
  'too_many_calls',
  (limit: number, kind: 'completions' | 'images and transcriptions') => ({
    detail: `This process serves at most ${limit} concurrent ${kind}, and ${SHARED}`,
    retryAfterSeconds: 1,
  }),
) {}

/** The limit of this process; other replicas may have room. */
export class TooManyBytes extends domainError(
  'rate-limited',
  'too_many_bytes',
  (limit: number, kind: 'requests' | 'images') => ({
    detail: `This process holds at most ${limit} bytes of ${kind}, and ${SHARED}`,
    retryAfterSeconds: 1,
  }),
) {}

/** Thrown before the body is read. */
export class BodyIsTooLarge extends domainError('too-large', 'too_large', (maxBytes: number) => ({
  detail: `The body is larger than ${maxBytes} bytes. Send fewer or smaller images.`,
  members: { maxBytes },
})) {}
