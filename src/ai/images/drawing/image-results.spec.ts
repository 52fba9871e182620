import type { AiResult, ImagesResult } from '#libs/platform-client';
import { imageIn, isOutcome } from './image-results.js';

const limited = (code: string): AiResult<ImagesResult> => ({
  kind: 'limited',
  code,
  detail: '',
  retryAfterMs: null,
});

describe('a result of the gateway', () => {
  it.each<[string, AiResult<ImagesResult>, boolean, boolean]>([
    ['a refusal', { kind: 'refused', code: 'content_policy', detail: '' }, true, true],
    ['a failure of providers', { kind: 'no-answer', reason: 'provider_response_unreadable' }, true, true],
    ['a picture that is too large', { kind: 'no-answer', reason: 'ANSWER_TOO_LONG' }, true, true],
    ['a lost connection', { kind: 'no-answer', reason: 'ECONNRESET' }, false, false],
    ['an earlier call that runs', limited('idempotent_request_running'), false, false],
    ['a limit of providers', limited('provider_rate_limited'), true, true],
    ['a limit of spend', limited('spend_limit_reached'), true, true],
    ['a limit of the gateway', limited('too_many_calls'), true, false],
    ['no provider', { kind: 'not-sent', reason: 'provider_unreachable' }, true, true],
    ['no gateway', { kind: 'not-sent', reason: 'ECONNREFUSED' }, true, false],
    ['no credential', { kind: 'misconfigured', code: 'no_credential' }, true, true],
    ['a refused token', { kind: 'misconfigured', code: 'unauthenticated' }, true, false],
  ])('of %s ends a picture or leaves it in doubt', (_, result, ofFirst, ofLater) => {
    expect([isOutcome(result, { isFirst: true }), isOutcome(result, { isFirst: false })]).toEqual([
      ofFirst,
      ofLater,
    ]);
  });

  it.each<[string, AiResult<ImagesResult>, string]>([
    ['an earlier call that runs', limited('idempotent_request_running'), 'image_still_drawn'],
    ['a limit of providers', limited('provider_rate_limited'), 'provider_rate_limited'],
    ['a limit of spend', limited('spend_limit_reached'), 'spend_limit_reached'],
    ['a limit of the gateway', limited('too_many_calls'), 'image_gateway_busy'],
    ['a lost connection', { kind: 'no-answer', reason: 'ECONNRESET' }, 'image_in_doubt'],
    ['a picture that is too large', { kind: 'no-answer', reason: 'ANSWER_TOO_LONG' }, 'image_too_large'],
    ['no gateway', { kind: 'not-sent', reason: 'ECONNREFUSED' }, 'image_providers_unavailable'],
    ['a refused token', { kind: 'misconfigured', code: 'unauthenticated' }, 'images_not_set_up'],
  ])('of %s is an error with a code', (_, result, code) => {
    expect(() => imageIn(result)).toThrow(expect.objectContaining({ code }));
  });
});
