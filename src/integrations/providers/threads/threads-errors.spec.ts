import { readGraphError } from '../graph/graph-errors.js';
import type { DeliveryContent } from '../../domain/delivery-outcome.js';
import { threadsFailure, threadsRefusal } from './threads-errors.js';

const content = (replyTo: string | null): DeliveryContent => ({
  text: 'Text',
  title: null,
  link: null,
  mediaIds: [],
  target: {},
  options: {},
  replyTo,
});
const error = (code: number, subcode?: number, message = 'No.') => ({
  error: { message, code, error_subcode: subcode, is_transient: false },
});
const seen = (of: 'post' | 'step', body: unknown, replyTo: string | null = null) => {
  const { failure, remedy } = threadsRefusal(readGraphError(400, body), of, content(replyTo), null);
  return [failure.class, failure.code, remedy?.kind];
};

describe('an error of Threads', () => {
  it.each([
    [
      'a container that is unknown, not ready or expired',
      24,
      4_279_009,
      ['permanent', 'media_expired', 'prepare-again'],
    ],
    ['the same without a subcode', 24, undefined, ['permanent', 'media_expired', 'prepare-again']],
    ['a picture that could not be fetched', 1, 2_207_052, ['permanent', 'media_not_fetched', 'wait']],
    ['a long text', 100, 2_207_010, ['permanent', 'text_too_long', undefined]],
    ['an ended token', 190, 463, ['auth', 'token_refused', 'refresh']],
    ['a missing permission', 10, undefined, ['permanent', 'forbidden_by_network', undefined]],
    ['a missing permission', 200, undefined, ['permanent', 'forbidden_by_network', undefined]],
    ['a throttle', 4, undefined, ['transient', 'rate_limited', 'hold']],
    ['a throttle', 613, undefined, ['transient', 'rate_limited', 'hold']],
    ['an unknown error', 1, undefined, ['unconfirmed', 'delivery_unconfirmed', undefined]],
    ['an invalid parameter', 100, undefined, ['permanent', 'refused_by_network', undefined]],
  ])('%s: %i/%s', (_what, code, subcode, expected) => {
    expect(seen('post', error(code, subcode))).toEqual(expected);
    expect(seen('step', error(code, subcode))).toEqual(expected);
  });

  it('has a text for too many links', () => {
    const tooMany = error(100, undefined, 'THREADS_API__LINK_LIMIT_EXCEEDED');
    expect(seen('step', tooMany)).toEqual(['permanent', 'too_many_links', undefined]);
  });

  it('waits for the post that a reply answers', () => {
    expect(seen('step', error(24, 4_279_009), '17')).toEqual([
      'transient',
      'reply_target_not_visible',
      'wait',
    ]);
  });
});

describe('a container of Threads that failed', () => {
  it.each([
    ['FAILED_DOWNLOADING_VIDEO', 'transient', 'media_not_fetched', 'prepare-again'],
    ['FAILED_PROCESSING_AUDIO', 'permanent', 'media_processing_failed', undefined],
    ['FAILED_PROCESSING_VIDEO', 'permanent', 'media_processing_failed', undefined],
    ['INVALID_ASPEC_RATIO', 'permanent', 'media_refused', undefined],
    ['INVALID_BIT_RATE', 'permanent', 'media_refused', undefined],
    ['INVALID_DURATION', 'permanent', 'media_refused', undefined],
    ['INVALID_FRAME_RATE', 'permanent', 'media_refused', undefined],
    ['INVALID_AUDIO_CHANNELS', 'permanent', 'media_refused', undefined],
    ['INVALID_AUDIO_CHANNEL_LAYOUT', 'permanent', 'media_refused', undefined],
    ['UNKNOWN', 'transient', 'media_processing_failed', 'prepare-again'],
    ['constructor', 'permanent', 'media_processing_failed', undefined],
    [null, 'permanent', 'media_processing_failed', undefined],
  ])('%s', (reason, failureClass, code, remedy) => {
    const refusal = threadsFailure(reason);
    expect([refusal.failure.class, refusal.failure.code, refusal.remedy?.kind]).toEqual([
      failureClass,
      code,
      remedy,
    ]);
  });
});
