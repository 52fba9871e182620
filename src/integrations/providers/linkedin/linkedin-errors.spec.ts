import { classifyRefusal, readLinkedInError } from './linkedin-errors.js';
import { readingsIn } from './linkedin-limits.js';
import { classifyMediaRefusal, fileWait } from './linkedin-media-responses.js';
import { waitIn } from './linkedin-values.js';

const SITE = 'https://www.linkedin.com';
const plain = (status: number, code: string, message = code) => ({ status, code, message });
const detailed = (code: string, description: string, message = description) => ({
  errorDetailType: 'com.linkedin.common.error.BadRequest',
  message,
  errorDetails: { inputErrors: [{ code, description, input: {} }] },
});
const refusal = (status: number, body: unknown) =>
  classifyRefusal(readLinkedInError(status, body), 5_000, SITE);

describe('a refusal of a post by LinkedIn', () => {
  it.each([
    [
      401,
      { ...plain(401, 'INVALID_ACCESS_TOKEN'), serviceErrorCode: 65600 },
      'token_refused',
      'auth',
      { kind: 'refresh' },
    ],
    [
      401,
      { ...plain(401, 'REVOKED_ACCESS_TOKEN'), serviceErrorCode: 65601 },
      'token_refused',
      'auth',
      { kind: 'refresh' },
    ],
    [401, { serviceErrorCode: 65602, message: 'expired' }, 'token_refused', 'auth', { kind: 'refresh' }],
    [403, plain(403, 'ACCESS_DENIED'), 'forbidden_by_network', 'permanent', undefined],
    [400, detailed('FIELD_ARRAY_SIZE_TOO_HIGH', 'too many'), 'text_too_long', 'permanent', undefined],
    [
      400,
      detailed('FIELD_LENGTH_TOO_LONG', 'exceeds maxLength 3000'),
      'text_too_long',
      'permanent',
      undefined,
    ],
    [
      400,
      detailed('MEDIA_ASSET_WAITING_UPLOAD', 'waits'),
      'media_not_ready',
      'transient',
      { kind: 'postpone', milliseconds: 3_000, prepareAgainAfterMs: 120_000 },
    ],
    [
      400,
      detailed('MEDIA_ASSET_PROCESSING_FAILED', 'failed'),
      'media_processing_failed',
      'permanent',
      undefined,
    ],
    [400, plain(400, 'VERSION_MISSING'), 'api_version_retired', 'configuration', undefined],
    [400, plain(400, 'ILLEGAL_ARGUMENT'), 'refused_by_network', 'permanent', undefined],
    [
      400,
      {
        status: 400,
        code: 'ILLEGAL_ARGUMENT',
        message: '"https://a.example/VERSION_MISSING" is not a valid URI',
      },
      'refused_by_network',
      'permanent',
      undefined,
    ],
    [404, undefined, 'refused_by_network', 'permanent', undefined],
    [422, detailed('OTHER', 'no'), 'refused_by_network', 'permanent', undefined],
    [426, plain(426, 'NONEXISTENT_VERSION'), 'api_version_retired', 'configuration', undefined],
    [
      429,
      plain(429, 'TOO_MANY_REQUESTS'),
      'rate_limited',
      'transient',
      { kind: 'hold', milliseconds: 5_000 },
    ],
  ] as const)('%i %j is %s, %s', (status, body, code, failureClass, remedy) => {
    const { failure, remedy: found, duplicate } = refusal(status, body);
    expect([failure.code, failure.class, found, duplicate]).toEqual([code, failureClass, remedy, undefined]);
  });

  it('as a duplicate names the existing post', () => {
    const urn = 'urn:li:share:7141138937766391808';
    const body = detailed('DUPLICATE_POST', 'Duplicate post is detected', `Content is a duplicate of ${urn}`);
    expect(refusal(422, body)).toEqual({
      failure: expect.objectContaining({
        code: 'duplicate_content',
        class: 'permanent',
        networkCode: 'DUPLICATE_POST',
      }),
      duplicate: true,
      existing: { platformPostId: urn, platformPostUrl: `${SITE}/feed/update/${urn}/` },
    });
    const unnamed = refusal(422, detailed('DUPLICATE_POST', 'Duplicate post is detected'));
    expect([unnamed.duplicate, unnamed.existing]).toEqual([true, undefined]);
  });

  it.each([[null], ['text'], [[1]], [{ errorDetails: { inputErrors: [null, 7, { code: 1 }] }, code: {} }]])(
    'is read from %j too',
    (body) => {
      expect(refusal(400, body).failure).toMatchObject({ class: 'permanent', code: 'refused_by_network' });
    },
  );
});

describe('a refusal of an upload by LinkedIn', () => {
  const media = (status: number, step: Parameters<typeof classifyMediaRefusal>[1]) => {
    const { failure, remedy } = classifyMediaRefusal(readLinkedInError(status, undefined), step, 5_000);
    return [failure.code, failure.class, remedy?.kind];
  };

  it.each([
    [401, 'initialize', 'token_refused', 'auth', 'refresh'],
    [403, 'initialize', 'forbidden_by_network', 'permanent', undefined],
    [426, 'initialize', 'api_version_retired', 'configuration', undefined],
    [429, 'initialize', 'rate_limited', 'transient', 'postpone'],
    [400, 'initialize', 'media_refused', 'permanent', undefined],
    // An address that has expired; whether the token works shows the next initialization.
    [401, 'upload', 'media_expired', 'permanent', 'prepare-again'],
    [403, 'upload', 'media_expired', 'permanent', 'prepare-again'],
    [410, 'upload', 'media_expired', 'permanent', 'prepare-again'],
    [413, 'upload', 'media_refused', 'permanent', undefined],
    [400, 'finalize', 'media_refused', 'permanent', 'prepare-again'],
    [404, 'status', 'media_expired', 'permanent', 'prepare-again'],
  ] as const)('%i of %s is %s, %s, %s', (status, step, ...expected) => {
    expect(media(status, step)).toEqual(expected);
  });
});

describe('the wait for a file', () => {
  it.each([
    [0, 3_000],
    [40_000, 20_000],
    [900_000, 60_000],
  ])('that was uploaded %i ms ago is %i ms', (ageMs, milliseconds) => {
    const response = {
      kind: 'refused',
      refusal: refusal(400, detailed('MEDIA_ASSET_WAITING_UPLOAD', 'waits')),
    } as const;
    expect(fileWait(response, ageMs)).toMatchObject({
      refusal: { remedy: { kind: 'postpone', milliseconds } },
    });
    expect(refusal(400, detailed('MEDIA_ASSET_PROCESSING', 'waits')).remedy).not.toHaveProperty(
      'prepareAgainAfterMs',
    );
    const other = { kind: 'refused', refusal: refusal(429, {}) } as const;
    expect(fileWait(other, ageMs)).toBe(other);
  });
});

describe('the wait after a daily limit', () => {
  const now = new Date('2026-01-15T22:00:00.000Z');

  it('ends at midnight UTC, by the clock of LinkedIn', () => {
    expect(waitIn({}, now)).toBe(2 * 3_600_000);
    expect(waitIn({ date: 'Thu, 15 Jan 2026 23:59:00 GMT' }, now)).toBe(60_000);
  });

  it('is a reading of the limit of the account, of posts only', () => {
    const response = { status: 429, headers: {}, body: {} };
    expect(readingsIn(response, now)).toEqual([
      { name: 'posts-per-day', remaining: 0, resetsAt: '2026-01-16T00:00:00.000Z', max: null },
    ]);
    expect(readingsIn({ ...response, status: 201 }, now)).toEqual([]);
  });

  it('is what LinkedIn asks for, if it is plausible', () => {
    expect(waitIn({ 'retry-after': '30' }, now)).toBe(30_000);
    for (const odd of ['-1', 'soon', '999999999'])
      expect(waitIn({ 'retry-after': odd }, now)).toBe(7_200_000);
  });
});
