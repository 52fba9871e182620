import { classifyRefusal, classifyUpload, failedBecause, isRefusedInside } from './tiktok-errors.js';

const NOW = new Date('2026-11-22T21:00:00Z');
const THREE_HOURS_MS = 3 * 3_600_000;
const body = (code: string) => ({ data: {}, error: { code, message: 'Of TikTok.', log_id: '1' } });
const seen = (status: number, code: string, of: 'post' | 'step' = 'post') => {
  const { failure, remedy } = classifyRefusal({ status, body: body(code) }, NOW, of);
  return [failure.class, failure.code, failure.networkCode, remedy];
};

describe('what TikTok refuses', () => {
  it.each([
    [401, 'access_token_invalid', 'auth', 'token_refused', { kind: 'refresh' }],
    [401, 'scope_not_authorized', 'auth', 'permission_missing', undefined],
    [401, 'scope_permission_missed', 'auth', 'permission_missing', undefined],
    [429, 'rate_limit_exceeded', 'transient', 'rate_limited', { kind: 'hold', milliseconds: 60_000 }],
    [
      403,
      'spam_risk_too_many_posts',
      'transient',
      'rate_limited',
      { kind: 'hold', milliseconds: THREE_HOURS_MS },
    ],
    [
      403,
      'spam_risk_too_many_pending_share',
      'transient',
      'rate_limited',
      { kind: 'hold', milliseconds: THREE_HOURS_MS },
    ],
    [
      403,
      'reached_active_user_cap',
      'transient',
      'usage_capped',
      { kind: 'hold', milliseconds: THREE_HOURS_MS },
    ],
    [403, 'spam_risk_user_banned_from_posting', 'permanent', 'forbidden_by_network', undefined],
    [403, 'spam_risk_text', 'permanent', 'refused_by_network', undefined],
    [403, 'privacy_level_option_mismatch', 'permanent', 'privacy_not_allowed', undefined],
    [
      403,
      'unaudited_client_can_only_post_to_private_accounts',
      'permanent',
      'privacy_not_allowed',
      undefined,
    ],
    [
      403,
      'url_ownership_unverified',
      'transient',
      'media_address_refused',
      { kind: 'postpone', milliseconds: 900_000 },
    ],
    [400, 'invalid_params', 'permanent', 'refused_by_network', undefined],
    [400, 'invalid_file_upload', 'permanent', 'media_refused', undefined],
  ])('%i %s is %s, also inside a 200', (status, code, failureClass, ours, remedy) => {
    expect(seen(status, code)).toEqual([failureClass, ours, code, remedy]);
    expect(seen(200, code)).toEqual([failureClass, ours, code, remedy]);
    expect(isRefusedInside(body(code))).toBe(true);
  });

  it.each(['internal_error', 'something_new'])('%s inside a 200 proves nothing', (code) => {
    expect(seen(200, code)).toEqual(['unconfirmed', 'delivery_unconfirmed', code, undefined]);
    expect(isRefusedInside(body(code))).toBe(false);
  });

  it('holds one post only where a step met the limit', () => {
    expect(seen(429, 'rate_limit_exceeded', 'step')[3]).toEqual({ kind: 'postpone', milliseconds: 60_000 });
  });

  it.each([
    [401, 'auth', { kind: 'refresh' }],
    [403, 'permanent', undefined],
    [404, 'permanent', undefined],
    [429, 'transient', { kind: 'hold', milliseconds: 60_000 }],
  ])('%i without a code is %s', (status, failureClass, remedy) => {
    for (const unreadable of [undefined, null, [], 'text', { error: 7 }, body('constructor')]) {
      const { failure, remedy: found } = classifyRefusal({ status, body: unreadable }, NOW);
      expect([failure.class, found]).toEqual([failureClass, remedy]);
    }
  });

  it.each([
    [400, 'permanent', 'media_refused', undefined],
    [403, 'permanent', 'media_expired', 'prepare-again'],
    [404, 'permanent', 'media_expired', 'prepare-again'],
    [413, 'permanent', 'media_too_large', undefined],
    [429, 'transient', 'rate_limited', 'hold'],
    [416, 'unconfirmed', 'delivery_unconfirmed', undefined],
  ])('%i to the last part is %s %s', (status, failureClass, code, remedy) => {
    const refusal = classifyUpload({ status }, 'post');
    expect([refusal.failure.class, refusal.failure.code, refusal.remedy?.kind]).toEqual([
      failureClass,
      code,
      remedy,
    ]);
  });
});

describe('a fail_reason of TikTok', () => {
  it.each([
    ['file_format_check_failed', 'permanent', 'media_refused'],
    ['duration_check_failed', 'permanent', 'video_too_long'],
    ['frame_rate_check_failed', 'permanent', 'media_refused'],
    ['picture_size_check_failed', 'permanent', 'media_refused'],
    ['internal', 'transient', 'network_failed'],
    ['video_pull_failed', 'transient', 'media_not_fetched'],
    ['photo_pull_failed', 'transient', 'media_not_fetched'],
    ['publish_cancelled', 'permanent', 'cancelled_on_network'],
    ['auth_removed', 'auth', 'token_refused'],
    ['spam_risk_too_many_posts', 'transient', 'rate_limited'],
    ['something_new', 'permanent', 'media_processing_failed'],
    ['constructor', 'permanent', 'media_processing_failed'],
  ])('%s is %s', (reason, failureClass, code) => {
    expect(failedBecause(reason)).toMatchObject({ class: failureClass, code, networkCode: reason });
  });
});
