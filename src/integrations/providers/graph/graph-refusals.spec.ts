import { networkCodeOf, readGraphError } from './graph-errors.js';
import { commonRefusal, unknownRefusal } from './graph-refusals.js';

const error = (code: unknown, subcode?: unknown, more: object = {}) => ({
  error: { message: 'No.', type: 'OAuthException', code, error_subcode: subcode, fbtrace_id: 'A', ...more },
});

const seen = (status: number, body: unknown, waitMs: number | null = null) => {
  const refusal = commonRefusal('Network', readGraphError(status, body), waitMs);
  if (refusal === null) return null;
  const { failure, remedy } = refusal;
  return [failure.class, failure.code, failure.networkCode, remedy];
};

type Row = readonly [name: string, status: number, body: unknown, expected: readonly unknown[] | null];

const refresh = { kind: 'refresh' };
const quarterHour = { kind: 'hold', milliseconds: 900_000 };

describe('an error of the Graph API', () => {
  it.each<Row>([
    ['an unknown error', 400, error(1), ['unconfirmed', 'delivery_unconfirmed', '1', undefined]],
    ['a service error', 400, error(2), ['unconfirmed', 'delivery_unconfirmed', '2', undefined]],
    [
      'a transient error',
      400,
      error(100, 33, { is_transient: true }),
      ['unconfirmed', 'delivery_unconfirmed', '100/33', undefined],
    ],
    ...[4, 17, 32, 341, 613, 80_001, 80_002, 80_014].map((code): Row => [
      `limit ${code}`,
      400,
      error(code),
      ['transient', 'rate_limited', String(code), quarterHour],
    ]),
    [
      'a limit that the network calls transient',
      400,
      error(4, 2_207_051, { is_transient: true }),
      ['transient', 'rate_limited', '4/2207051', quarterHour],
    ],
    ['429 without an error', 429, '', ['transient', 'rate_limited', '429', quarterHour]],
    ...[458, 459, 460, 463, 464, 467, 492].map((subcode): Row => [
      `token subcode ${subcode}`,
      400,
      error(190, subcode),
      ['auth', 'token_refused', `190/${subcode}`, refresh],
    ]),
    ['an ended token', 401, error(190), ['auth', 'token_refused', '190', refresh]],
    ['an ended session', 400, error(102), ['auth', 'token_refused', '102', refresh]],
    ['401 without an error', 401, null, null],
    ['no permission', 403, error(10), ['permanent', 'forbidden_by_network', '10', undefined]],
    ['no permission', 403, error(200), ['permanent', 'forbidden_by_network', '200', undefined]],
    ['no permission', 403, error(299), ['permanent', 'forbidden_by_network', '299', undefined]],
    ['403 without an error', 403, '<html>', null],
    [
      'a block for abuse',
      400,
      error(368),
      ['transient', 'temporarily_blocked', '368', { kind: 'hold', milliseconds: 14_400_000 }],
    ],
    ...(
      [
        ['an app that is not known', error(101)],
        ['an app that may not make the call', error(3)],
        ['an interface that was removed', error(12)],
        ['an app whose access is blocked', error(200, undefined, { message: 'API access blocked.' })],
        [
          'an app whose access is deactivated',
          error(10, undefined, {
            message: 'API access deactivated. To reactivate, go to the app dashboard.',
          }),
        ],
        [
          'an app that was deleted',
          error(190, undefined, { message: 'Error validating application. Application has been deleted.' }),
        ],
      ] as const
    ).map(([name, body]): Row => [
      name,
      400,
      body,
      ['configuration', 'client_forbidden', String(body.error.code), undefined],
    ]),
    ['an invalid parameter', 400, error(100), null],
    [
      'a text with words of an error',
      400,
      error(100, undefined, { message: 'No URL: Application has been deleted' }),
      null,
    ],
    ['no error', 400, {}, null],
    ['code 300, which is no permission', 400, error(300), null],
    ['code 80015, which is no limit', 400, error(80_015), null],
  ])('%s', (_, status, body, expected) => {
    expect(seen(status, body)).toEqual(expected);
  });

  it('holds the account as long as the network states', () => {
    expect(seen(400, error(32), 60_000)).toEqual([
      'transient',
      'rate_limited',
      '32',
      { kind: 'hold', milliseconds: 60_000 },
    ]);
  });

  it('tells the reason and the next step of an ended token', () => {
    const failure = (subcode: number) =>
      commonRefusal('Network', readGraphError(400, error(190, subcode)), null)?.failure;
    expect(failure(460)?.message).toBe(
      'The person who connected this account has changed their password at Network.',
    );
    expect(failure(492)?.nextStep).toMatch(/^Let a person with a role/);
    expect(failure(9)?.message).toBe('Network no longer accepts the connection of this account.');
  });

  it('reads malformed errors without inventing a code', () => {
    for (const body of [
      undefined,
      null,
      'text',
      [],
      {},
      { error: null },
      { error: 'token' },
      { error: { code: {} } },
      { error: { code: 1.5 } },
      { error: { code: '1e3' } },
    ]) {
      const read = readGraphError(404, body);
      expect([read.code, read.subcode, read.isTransient, networkCodeOf(read)]).toEqual([
        null,
        null,
        false,
        '404',
      ]);
      expect(unknownRefusal('Network', read).failure).toMatchObject({
        class: 'permanent',
        networkCode: '404',
      });
    }
  });

  it('reads numbers that are written as strings, and negative ones', () => {
    expect(networkCodeOf(readGraphError(400, error('-2', '2207003')))).toBe('-2/2207003');
  });
});
