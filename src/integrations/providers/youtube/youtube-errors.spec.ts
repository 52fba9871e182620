import { classifyRefusal, quotaIsExhausted } from './youtube-errors.js';

const seen = (status: number, reason: string | null, retryAfterMs: number | null = null) => {
  const { failure, remedy } = classifyRefusal({ status, reason, retryAfterMs });
  return [failure.class, failure.code, remedy?.kind];
};

describe('what a refusal of YouTube means', () => {
  it.each<[number, string | null, string, string, string | undefined]>([
    [403, 'quotaExceeded', 'transient', 'quota_exhausted', 'hold'],
    [403, 'rateLimitExceeded', 'transient', 'rate_limited', 'wait'],
    [403, 'userRateLimitExceeded', 'transient', 'rate_limited', 'wait'],
    [400, 'backendError', 'transient', 'rate_limited', 'wait'],
    [400, 'uploadLimitExceeded', 'transient', 'upload_limit_reached', 'hold'],
    [401, 'authError', 'auth', 'token_refused', 'refresh'],
    [401, null, 'auth', 'token_refused', 'refresh'],
    [403, 'insufficientPermissions', 'permanent', 'permission_missing', undefined],
    [401, 'youtubeSignupRequired', 'permanent', 'no_channel', undefined],
    [403, 'forbidden', 'permanent', 'forbidden_by_network', undefined],
    [403, null, 'permanent', 'forbidden_by_network', undefined],
    [403, 'channelClosed', 'permanent', 'account_suspended', undefined],
    [403, 'channelSuspended', 'permanent', 'account_suspended', undefined],
    [403, 'authenticatedUserAccountSuspended', 'permanent', 'account_suspended', undefined],
    [400, 'invalidTitle', 'permanent', 'refused_by_network', undefined],
    [400, 'invalidDescription', 'permanent', 'refused_by_network', undefined],
    [400, 'invalidTags', 'permanent', 'refused_by_network', undefined],
    [400, 'invalidCategoryId', 'permanent', 'refused_by_network', undefined],
    [400, 'invalidPublishAt', 'permanent', 'refused_by_network', undefined],
    [400, 'invalidVideoMetadata', 'permanent', 'refused_by_network', undefined],
    [400, 'invalidFilename', 'permanent', 'media_refused', undefined],
    [400, 'mediaBodyRequired', 'permanent', 'media_refused', undefined],
    [403, 'forbiddenPrivacySetting', 'permanent', 'option_refused', undefined],
    [403, 'forbiddenLicenseSetting', 'permanent', 'option_refused', undefined],
    [403, 'accessNotConfigured', 'configuration', 'client_forbidden', undefined],
    [429, null, 'transient', 'rate_limited', 'wait'],
    [400, 'aReasonOfTomorrow', 'permanent', 'refused_by_network', undefined],
  ])('%d %s', (status, reason, failureClass, code, remedy) => {
    expect(seen(status, reason)).toEqual([failureClass, code, remedy]);
  });

  it('is a quota of the day, whatever its reason, when it says so', () => {
    expect(
      classifyRefusal({ status: 429, reason: 'rateLimitExceeded', isOfDay: true, retryAfterMs: null }),
    ).toMatchObject({
      failure: { code: 'quota_exhausted', networkCode: 'rateLimitExceeded' },
      remedy: { kind: 'hold', milliseconds: 3_600_000 },
    });
  });

  it('is kept as the code of the network', () => {
    expect(
      classifyRefusal({ status: 400, reason: 'invalidTitle', retryAfterMs: null }).failure.networkCode,
    ).toBe('invalidTitle');
    expect(classifyRefusal({ status: 400, reason: null, retryAfterMs: null }).failure.networkCode).toBe(
      '400',
    );
  });

  it('holds the channel for as long as YouTube asks, and for a day after too many uploads', () => {
    const held = (status: number, reason: string, retryAfterMs: number | null) =>
      classifyRefusal({ status, reason, retryAfterMs }).remedy;
    expect(held(403, 'rateLimitExceeded', 90_000)).toEqual({ kind: 'hold', milliseconds: 90_000 });
    expect(held(400, 'uploadLimitExceeded', null)).toEqual({ kind: 'hold', milliseconds: 86_400_000 });
    expect(quotaIsExhausted(3_600_000)).toMatchObject({
      failure: { class: 'transient', code: 'quota_exhausted' },
      remedy: { kind: 'hold', milliseconds: 3_600_000 },
    });
  });
});
