import { FixedClock } from '#libs/clock/testing';
import { readGraphError } from '../graph/graph-errors.js';
import { instagramContainers } from './instagram-containers.js';

const network = instagramContainers('https://graph.example/v25.0', 'https://web.example', new FixedClock());
const error = (code: number, subcode?: number, more: object = {}) => ({
  error: { message: 'No.', code, error_subcode: subcode, ...more },
});
const seen = (of: 'post' | 'step', body: unknown, status = 400) => {
  const { failure, remedy } = network.refusalOf(readGraphError(status, body), of, null, null);
  return [failure.class, failure.code, remedy?.kind];
};

const EXPIRED = ['permanent', 'media_expired', 'prepare-again'];
const BROKEN = ['transient', 'media_processing_failed', 'prepare-again'];
const UNCONFIRMED = ['unconfirmed', 'delivery_unconfirmed', undefined];
const REFUSED = ['permanent', 'refused_by_network', undefined];
const MEDIA = ['permanent', 'media_refused', undefined];
const TOKEN = ['auth', 'token_refused', 'refresh'];

/** Rows of the vendor's table. Without a second outcome, both kinds of calls have the same. */
const ROWS: readonly (readonly [
  what: string,
  code: number,
  subcode: number | undefined,
  step: unknown[],
  post?: unknown[],
])[] = [
  ['a download that timed out', -2, 2_207_003, ['transient', 'media_not_fetched', 'wait']],
  ['expired media', -2, 2_207_020, EXPIRED],
  ['an error of the network', -1, 2_207_001, UNCONFIRMED],
  ['a container that was not created', -1, 2_207_032, BROKEN],
  ['an unknown upload error', -1, 2_207_053, BROKEN],
  ['a cover outside of the video', 1, 2_207_057, ['permanent', 'cover_out_of_range', undefined]],
  ['a restriction as spam', 4, 2_207_051, ['transient', 'temporarily_blocked', 'hold'], UNCONFIRMED],
  ['the limit of a day', 9, 2_207_042, ['transient', 'rate_limited', 'hold']],
  ['the limit of a day without a subcode', 9, undefined, ['transient', 'rate_limited', 'hold']],
  ['an unknown container', 24, 2_207_006, EXPIRED],
  ['an expired container', 24, 2_207_008, EXPIRED],
  ['a restricted account', 25, 2_207_050, ['permanent', 'forbidden_by_network', undefined]],
  ['an unknown media type', 100, 2_207_023, REFUSED],
  ['a bad carousel', 100, 2_207_028, REFUSED],
  ['bad tags', 100, 2_207_035, REFUSED],
  ['bad tags', 100, 2_207_036, REFUSED],
  ['bad tags', 100, 2_207_037, REFUSED],
  ['too many tags', 100, 2_207_040, REFUSED],
  ['the format of a video', 352, 2_207_026, MEDIA],
  ['media that could not be fetched', 9_004, 2_207_052, ['permanent', 'media_not_fetched', 'wait']],
  ['the same under another code', 1, 2_207_052, ['permanent', 'media_not_fetched', 'wait']],
  ['media that is not ready', 9_007, 2_207_027, ['transient', 'media_not_ready', 'wait']],
  ['a large picture', 36_000, 2_207_004, ['permanent', 'media_too_large', undefined]],
  ['the format of a picture', 36_001, 2_207_005, MEDIA],
  ['the ratio of a picture', 36_003, 2_207_009, MEDIA],
  ['a long caption', 36_004, 2_207_010, ['permanent', 'text_too_long', undefined]],
  ['a token', 190, undefined, TOKEN],
  ['a token that expired', 190, 463, TOKEN],
  ['a session', 102, undefined, TOKEN],
  ['a throttle', 4, undefined, ['transient', 'rate_limited', 'hold']],
  ['a throttle of the account', 80_002, undefined, ['transient', 'rate_limited', 'hold']],
  ['a block for abuse', 368, undefined, ['transient', 'temporarily_blocked', 'hold']],
  ['a missing permission', 10, undefined, ['permanent', 'forbidden_by_network', undefined]],
  ['a missing permission', 200, undefined, ['permanent', 'forbidden_by_network', undefined]],
  ['an unknown error', 1, undefined, UNCONFIRMED],
  ['a service that is away', 2, undefined, UNCONFIRMED],
  ['an invalid parameter', 100, undefined, REFUSED],
];

describe('an error of Instagram', () => {
  it.each(ROWS.map(([what, code, subcode, step, post = step]) => ({ what, code, subcode, step, post })))(
    '$what: $code/$subcode',
    ({ code, subcode, step, post }) => {
      expect(seen('step', error(code, subcode))).toEqual(step);
      expect(seen('post', error(code, subcode))).toEqual(post);
    },
  );

  it('has the pair of numbers as its code, and never the text of Instagram', () => {
    const body = error(36_003, 2_207_009, {
      message: 'secret words',
      error_user_msg: 'https://host/m/secret',
    });
    const { failure } = network.refusalOf(readGraphError(400, body), 'step', null, null);
    expect(failure.networkCode).toBe('36003/2207009');
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  it('holds the account as long as the headers state', () => {
    const { remedy } = network.refusalOf(readGraphError(400, error(80_002)), 'step', null, 60_000);
    expect(remedy).toEqual({ kind: 'hold', milliseconds: 60_000 });
  });
});

describe('a container of Instagram that failed', () => {
  it.each([
    ['Error: Media upload has failed with error code 2207026', 'permanent', 'media_refused', undefined],
    [
      'Error: Media upload has failed with error code 2207082',
      'permanent',
      'media_processing_failed',
      undefined,
    ],
    [
      'Error: Media upload has failed with error code 2207085',
      'permanent',
      'media_processing_failed',
      undefined,
    ],
    [
      'Error: Media upload has failed with error code 2207052',
      'permanent',
      'media_not_fetched',
      'prepare-again',
    ],
    [
      'Error: Media upload has failed with error code 2207003',
      'transient',
      'media_not_fetched',
      'prepare-again',
    ],
    [
      'Error: Media upload has failed with error code 2207053',
      'transient',
      'media_processing_failed',
      'prepare-again',
    ],
    [
      'Error: Media upload has failed with error code 2207001',
      'transient',
      'media_processing_failed',
      'prepare-again',
    ],
    [
      'Error: Media upload has failed with error code 2209999',
      'permanent',
      'media_processing_failed',
      undefined,
    ],
    ['Something', 'permanent', 'media_processing_failed', undefined],
    [null, 'permanent', 'media_processing_failed', undefined],
  ])('%j', (reason, failureClass, code, remedy) => {
    const refusal = network.failureOf(reason);
    expect([refusal.failure.class, refusal.failure.code, refusal.remedy?.kind]).toEqual([
      failureClass,
      code,
      remedy,
    ]);
  });

  it.each([
    [{ status_code: 'IN_PROGRESS' }, { kind: 'in-progress' }],
    [{ status_code: 'FINISHED', status: 'Finished: …' }, { kind: 'finished' }],
    [{ status_code: 'PUBLISHED' }, { kind: 'published' }],
    [{ status_code: 'EXPIRED' }, { kind: 'expired' }],
    [
      { status_code: 'ERROR', status: 'Error: 2207026' },
      { kind: 'error', reason: 'Error: 2207026' },
    ],
    [{ status_code: 'ERROR' }, { kind: 'error', reason: null }],
    [{ status_code: 'constructor' }, { kind: 'other' }],
    [{ status: 'FINISHED' }, null],
    [null, null],
    ['FINISHED', null],
  ])('the state in %j is %j', (body, state) => expect(network.stateIn(body)).toEqual(state));
});
