import type { FailureKind } from '../wires/failure.js';
import { googleFailure } from './google-failures.js';

const SECRET = 'AIzaSyA-abcdefghijklmnop';
const TYPE = 'type.googleapis.com/google.rpc.';
const info = (reason: string) => ({ '@type': `${TYPE}ErrorInfo`, reason, domain: 'googleapis.com' });

const rows: [FailureKind, number, object | undefined][] = [
  ['rate', 429, { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'You exceeded your current quota' }],
  ['rate', 429, undefined],
  ['rate', 200, { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'x' }],
  ['money', 402, { code: 402, status: 'RESOURCE_EXHAUSTED', message: 'x' }],
  ['money', 402, undefined],
  ['money', 200, { code: 402, status: 'RESOURCE_EXHAUSTED', message: 'x' }],
  [
    'money',
    429,
    { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Your prepayment credits are depleted.' },
  ],
  [
    'money',
    429,
    { status: 'RESOURCE_EXHAUSTED', message: 'Your project has exceeded its monthly spending cap.' },
  ],
  ['overload', 503, { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded' }],
  ['overload', 500, { code: 500, status: 'INTERNAL', message: 'x' }],
  ['overload', 504, { code: 504, status: 'DEADLINE_EXCEEDED', message: 'x' }],
  ['overload', 503, undefined],
  ['overload', 408, undefined],
  ['overload', 200, { code: 503, status: 'UNAVAILABLE', message: 'x' }],
  [
    'credential',
    400,
    { code: 400, status: 'INVALID_ARGUMENT', message: 'x', details: [info('API_KEY_INVALID')] },
  ],
  ['credential', 403, { code: 403, status: 'PERMISSION_DENIED', message: 'x' }],
  ['credential', 401, { code: 401, status: 'UNAUTHENTICATED', message: 'x' }],
  ['credential', 400, { code: 400, status: 'FAILED_PRECONDITION', message: 'Please enable billing' }],
  ['credential', 403, undefined],
  ['model', 404, { code: 404, status: 'NOT_FOUND', message: 'models/x is not found' }],
  ['model', 404, undefined],
  [
    'too-long',
    400,
    {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    },
  ],
  ['too-long', 413, undefined],
  ['policy', 400, { status: 'INVALID_ARGUMENT', message: 'The request was blocked by the safety settings.' }],
  ['invalid', 400, { status: 'INVALID_ARGUMENT', message: 'safety_settings[0] has an unknown category' }],
  ['invalid', 400, { code: 400, status: 'INVALID_ARGUMENT', message: 'Unknown name "x"' }],
  [
    'invalid',
    400,
    {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: `Invalid value at 'tools[0].type': "Your prepayment credits are depleted. spending cap"`,
    },
  ],
  ['invalid', 400, { status: 'INVALID_ARGUMENT', message: 'Your project has exceeded its spending cap.' }],
  ['rate', 429, { status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded for metric: spending cap' }],
  ['invalid', 400, { code: 400, status: 'constructor' }],
  ['invalid', 400, undefined],
  ['unreadable', 200, { code: 200, status: 'STRANGE' }],
  ['unreadable', 200, undefined],
];

describe('failures of the Google wire', () => {
  it.each(rows)('is %s: status %d with %j', (kind, status, error) => {
    const reply = { status, headers: {}, body: error && { error } };
    expect(googleFailure(reply, SECRET)).toMatchObject({ kind, status });
    expect(googleFailure({ ...reply, body: error && [{ error }] }, SECRET)).toMatchObject({ kind });
  });

  const limited = (details: object[], message = 'x') => ({
    status: 429,
    headers: {},
    body: { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message, details } },
  });
  const retry = (retryDelay: unknown) => ({ '@type': `${TYPE}RetryInfo`, retryDelay });

  it.each([
    ['46s', 46_000],
    ['1.5s', 1_500],
    ['0s', 0],
    ['soon', null],
    [46, null],
    ['999999999s', null],
  ])('waits as long as retryDelay %j says', (delay, retryAfterMs) => {
    expect(googleFailure(limited([retry(delay)]), SECRET)).toMatchObject({ kind: 'rate', retryAfterMs });
  });

  it.each([
    ['in the message', [retry('46s')], 'Quota exceeded for metric: requests, limit: 0, model: gemini-3-pro'],
    [
      'as a violation',
      [retry('46s'), { '@type': `${TYPE}QuotaFailure`, violations: [{ quotaValue: '0' }] }],
      'x',
    ],
  ])('waits for hours where the project has no quota for the model, %s', (_, details, message) => {
    const { kind, retryAfterMs } = googleFailure(limited(details, message), SECRET);
    expect(kind).toBe('rate');
    expect(retryAfterMs).toBeGreaterThanOrEqual(3_600_000);
  });

  it('does not take another limit for none', () => {
    expect(googleFailure(limited([retry('46s')], 'limit: 05, limit: 10'), SECRET).retryAfterMs).toBe(46_000);
  });

  it('names the reason of a refused key and not the key', () => {
    const error = {
      status: 'INVALID_ARGUMENT',
      message: `API key ${SECRET} is bad`,
      details: [info('API_KEY_INVALID')],
    };
    const failure = googleFailure({ status: 400, headers: {}, body: { error } }, SECRET);
    expect(failure.code).toBe('API_KEY_INVALID');
    expect(JSON.stringify(failure)).not.toContain(SECRET);
  });
});
