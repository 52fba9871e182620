import { classifyRefusal, readXError } from './x-errors.js';

const seen = (status: number, body: unknown, waitMs: number | null = null) => {
  const { failure, remedy, duplicate } = classifyRefusal(readXError(status, body), waitMs);
  return {
    class: failure.class,
    code: failure.code,
    networkCode: failure.networkCode,
    remedy: remedy?.kind,
    duplicate,
  };
};
const problem = (kind: string, detail = '') => ({
  type: `https://api.x.com/2/problems/${kind}`,
  title: 'No',
  detail,
});

describe('what a refusal of X means', () => {
  it.each([
    ['an invalid request', 400, problem('invalid-request'), 'permanent', 'refused_by_network', undefined],
    [
      'an ended token',
      401,
      { title: 'Unauthorized', type: 'about:blank' },
      'auth',
      'token_refused',
      'refresh',
    ],
    ['a depleted plan', 402, problem('credits-depleted'), 'configuration', 'usage_capped', undefined],
    [
      'an app without access',
      403,
      problem('client-forbidden'),
      'configuration',
      'client_forbidden',
      undefined,
    ],
    [
      'a suspended account',
      403,
      { detail: 'User is suspended.' },
      'permanent',
      'forbidden_by_network',
      undefined,
    ],
    [
      'an uninvited reply',
      403,
      {
        detail:
          'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author.',
      },
      'permanent',
      'reply_not_allowed',
      undefined,
    ],
    [
      'files that X does not know',
      400,
      { errors: [{ message: 'Your media IDs are invalid.' }], type: 'about:blank' },
      'permanent',
      'media_expired',
      'prepare-again',
    ],
    [
      'files that cannot be shown together',
      400,
      { errors: [{ message: 'Only up to 4 photos can be attached.' }] },
      'permanent',
      'refused_by_network',
      undefined,
    ],
    [
      'a video that is too long for the account',
      403,
      { detail: 'This user is not allowed to post a video longer than 2 minutes' },
      'permanent',
      'video_too_long',
      undefined,
    ],
    ['the monthly cap', 429, problem('usage-capped'), 'configuration', 'usage_capped', undefined],
    ['an unknown no', 451, undefined, 'permanent', 'refused_by_network', undefined],
  ])('%s', (_, status, body, failureClass, code, remedy) => {
    expect(seen(status, body)).toMatchObject({ class: failureClass, code, remedy });
  });

  it.each([
    ['has no access to this endpoint', { errors: [{ code: 453, message: 'No.' }] }],
    ['may not write', { errors: [{ code: 261, message: 'No.' }] }],
    ['is suspended', { errors: [{ code: 416, message: 'No.' }] }],
    ['lacks the permission', problem('oauth1-permissions')],
  ])('an app that %s: an operator has to act', (_, body) => {
    expect(seen(403, body)).toMatchObject({ class: 'configuration', code: 'client_forbidden' });
  });

  it.each([
    [{ detail: 'You are not allowed to create a Tweet with duplicate content.' }],
    [{ errors: [{ code: 187, message: 'Status is a duplicate.' }] }],
  ])('a duplicate, in either shape', (body) => {
    expect(seen(403, body)).toMatchObject({ class: 'permanent', code: 'duplicate_content', duplicate: true });
  });

  it.each([
    [{ errors: [{ code: 385, message: 'No.' }] }],
    [{ detail: 'You attempted to reply to a Tweet that is deleted or not visible to you.' }],
  ])('a parent that cannot be seen yet passes soon', (body) => {
    expect(seen(403, body)).toMatchObject({
      class: 'transient',
      code: 'reply_target_not_visible',
      remedy: 'wait',
    });
  });

  it('a rate limit waits for the reset that X names, or shortly when it names none', () => {
    expect(seen(429, problem('rate-limit-exceeded'), 900_000)).toMatchObject({
      class: 'transient',
      remedy: 'hold',
    });
    expect(seen(429, {}, null)).toMatchObject({ class: 'transient', remedy: 'wait' });
  });

  it.each([
    ['185', 'User is over daily status update limit.', 'rate_limited'],
    ['344', 'You have reached your daily limit for sending Tweets and messages.', 'rate_limited'],
    ['226', 'This request looks like it might be automated.', 'temporarily_blocked'],
  ])('a limit of the account or a check for spam (%s) passes', (number, message, code) => {
    for (const error of [{ errors: [{ code: Number(number), message: 'No.' }] }, { detail: message }])
      expect(seen(403, error)).toMatchObject({ class: 'transient', code, remedy: 'hold' });
    const { remedy } = classifyRefusal(readXError(403, { detail: message }), 120_000);
    expect(remedy).toEqual({ kind: 'hold', milliseconds: 120_000 });
  });

  it('keeps the network’s own code, and never its text', () => {
    expect(seen(400, { errors: [{ code: 186, message: 'secret words' }] }).networkCode).toBe('186');
    const { failure } = classifyRefusal(readXError(400, { detail: 'secret words' }), null);
    expect(JSON.stringify(failure)).not.toContain('secret words');
    expect(failure.networkCode).toBe('400');
  });
});
