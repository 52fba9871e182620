import { readGraphError } from '../graph/graph-errors.js';
import { facebookRefusal, processingFailed, refusalWithFiles } from './facebook-errors.js';
import { videoRefusal } from './facebook-videos.js';

const error = (code: number, subcode?: number, more: object = {}) => ({
  error: { message: 'No.', type: 'OAuthException', code, error_subcode: subcode, fbtrace_id: 'A', ...more },
});

type Refuse = typeof facebookRefusal;
const seen = (status: number, body: unknown, refuse: Refuse = facebookRefusal) => {
  const { failure, remedy, duplicate } = refuse(readGraphError(status, body), null);
  return [failure.class, failure.code, failure.networkCode, remedy?.kind, duplicate];
};

type Row = readonly [
  name: string,
  status: number,
  body: unknown,
  failureClass: string,
  code: string,
  networkCode: string,
  remedy?: string,
];

/** The rows of the vendor's tables; those that Instagram and Threads have too are in graph-refusals.spec.ts. */
describe('what a refusal of Facebook means', () => {
  const rows: readonly Row[] = [
    ['an unknown error', 400, error(1), 'unconfirmed', 'delivery_unconfirmed', '1'],
    ['a service that is away', 400, error(2), 'unconfirmed', 'delivery_unconfirmed', '2'],
    [
      'a transient error',
      400,
      error(324, undefined, { is_transient: true }),
      'unconfirmed',
      'delivery_unconfirmed',
      '324',
    ],
    ['a limit of the page', 400, error(32), 'transient', 'rate_limited', '32', 'hold'],
    ['a limit of the business', 400, error(80_001), 'transient', 'rate_limited', '80001', 'hold'],
    ['a removed app', 400, error(190, 458), 'auth', 'token_refused', '190/458', 'refresh'],
    ['an admin who was removed', 400, error(190, 492), 'auth', 'token_refused', '190/492', 'refresh'],
    ['an ended session', 401, error(102), 'auth', 'token_refused', '102', 'refresh'],
    ['a missing permission', 403, error(200), 'permanent', 'forbidden_by_network', '200'],
    ['an invalid parameter', 400, error(100), 'permanent', 'refused_by_network', '100'],
    ['a page that is gone', 400, error(100, 33), 'permanent', 'forbidden_by_network', '100/33'],
    ['a block for abuse', 400, error(368), 'transient', 'temporarily_blocked', '368', 'hold'],
    ['a link that opens nothing', 400, error(100, 1_609_005), 'permanent', 'link_refused', '100/1609005'],
    ['the same as a code', 400, error(1_609_005), 'permanent', 'link_refused', '1609005'],
    ['no URL', 400, error(1500), 'permanent', 'link_refused', '1500'],
    ['no image', 400, error(324), 'permanent', 'media_not_fetched', '324', 'wait'],
    ['no video', 400, error(389), 'permanent', 'media_not_fetched', '389', 'wait'],
    ['a large photo', 400, error(1, 1_366_046), 'permanent', 'media_refused', '1/1366046'],
    ['a video codec', 400, error(352), 'permanent', 'media_refused', '352'],
    ['a small reel', 400, error(100, 1_363_127), 'permanent', 'media_refused', '100/1363127'],
    ['413 without an error', 413, '', 'permanent', 'refused_by_network', '413'],
    ['429 without an error', 429, null, 'transient', 'rate_limited', '429', 'hold'],
  ];

  it.each(rows.map((row) => [row]))('%j', ([, status, body, failureClass, code, networkCode, remedy]) => {
    expect(seen(status, body)).toEqual([failureClass, code, networkCode, remedy, undefined]);
  });

  it('knows a duplicate, which is evidence after an attempt in doubt', () => {
    expect(seen(400, error(506))).toEqual(['permanent', 'duplicate_content', '506', undefined, true]);
    expect(seen(400, error(100, 506))).toEqual([
      'permanent',
      'duplicate_content',
      '100/506',
      undefined,
      true,
    ]);
    const transient = error(506, undefined, { is_transient: true });
    expect(seen(400, transient)[1]).toBe('duplicate_content');
  });

  it('uploads photos and videos again that Facebook has dropped', () => {
    const again = (code: number, subcode?: number, refuse?: Refuse) =>
      seen(400, error(code, subcode), refuse)[3];
    expect(again(100, undefined, refusalWithFiles)).toBe('prepare-again');
    expect(again(100, 1_609_005, refusalWithFiles)).toBeUndefined();
    expect(again(6000, 1_363_019, videoRefusal)).toBe('prepare-again');
    expect(again(6001, undefined, videoRefusal)).toBe('prepare-again');
    expect(again(352, undefined, videoRefusal)).toBeUndefined();
  });

  it('tells what a person can do', () => {
    const { failure } = facebookRefusal(readGraphError(400, error(190, 492)), null);
    expect(failure.nextStep).toBe(
      'Let a person with a role on it connect the account again, then retry the post.',
    );
    expect(processingFailed('error').failure).toMatchObject({ class: 'permanent', networkCode: 'error' });
  });
});
