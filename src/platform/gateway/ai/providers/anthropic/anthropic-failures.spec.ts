import type { FailureKind } from '../wires/failure.js';
import { anthropicFailure } from './messages-response.js';

const SECRET = 'sk-ant-abcdefghijklmnop';

const rows: [FailureKind, number, object | undefined][] = [
  ['rate', 429, { type: 'rate_limit_error', message: 'x' }],
  ['rate', 429, undefined],
  ['rate', 200, { type: 'rate_limit_error', message: 'x' }],
  [
    'money',
    429,
    { type: 'rate_limit_error', message: 'x', details: { error_code: 'enforced_spend_limit_reached' } },
  ],
  [
    'money',
    400,
    {
      type: 'invalid_request_error',
      message: 'You have reached your specified API usage limits. You will regain access on 2026-12-01.',
    },
  ],
  [
    'money',
    400,
    { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' },
  ],
  [
    'money',
    400,
    { type: 'invalid_request_error', message: 'You have reached your specified workspace API usage limits.' },
  ],
  ['money', 402, { type: 'billing_error', message: 'x' }],
  ['money', 402, undefined],
  ['overload', 529, { type: 'overloaded_error', message: 'x' }],
  ['overload', 500, { type: 'api_error', message: 'x' }],
  ['overload', 504, { type: 'timeout_error', message: 'x' }],
  ['overload', 409, { type: 'invalid_request_error', message: 'x' }],
  ['overload', 529, undefined],
  ['overload', 408, undefined],
  ['overload', 200, { type: 'overloaded_error', message: 'Overloaded' }],
  ['overload', 200, { type: 'api_error', message: 'x' }],
  ['credential', 401, { type: 'authentication_error', message: 'x' }],
  ['credential', 403, { type: 'permission_error', message: 'x' }],
  ['credential', 401, undefined],
  ['model', 404, { type: 'not_found_error', message: 'model: claude-x' }],
  ['model', 404, undefined],
  [
    'too-long',
    400,
    { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  ],
  [
    'too-long',
    400,
    {
      type: 'invalid_request_error',
      message: 'input length and `max_tokens` exceed context limit: 1 + 2 > 3',
    },
  ],
  ['too-long', 413, { type: 'request_too_large', message: 'x' }],
  ['too-long', 413, undefined],
  ['policy', 400, { type: 'invalid_request_error', message: 'Output blocked by content filtering policy' }],
  ['invalid', 400, { type: 'invalid_request_error', message: 'max_tokens: required' }],
  [
    'invalid',
    400,
    {
      type: 'invalid_request_error',
      message: 'tools.0.custom.input_schema: Your credit balance is too low to access the Anthropic API.',
    },
  ],
  [
    'invalid',
    400,
    {
      type: 'invalid_request_error',
      message: `tools.0.custom.name: 'You have reached your specified API usage limits' does not match`,
    },
  ],
  ['invalid', 400, { type: 'constructor', message: 'x' }],
  ['invalid', 422, undefined],
  ['invalid', 200, { type: 'invalid_request_error', message: 'x' }],
  ['unreadable', 200, { type: 'strange_error', message: 'x' }],
  ['unreadable', 200, undefined],
];

describe('failures of the Anthropic wire', () => {
  it.each(rows)('is %s: status %d with %j', (kind, status, error) => {
    const body = error && { type: 'error', error, request_id: 'req_1' };
    expect(anthropicFailure({ status, headers: {}, body }, SECRET)).toMatchObject({ kind, status });
  });

  it.each([
    [{ 'retry-after': '30' }, 30_000],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    [{ 'retry-after': 'Mon, 23 Nov 2026 03:00:30 GMT', date: 'Mon, 23 Nov 2026 03:00:00 GMT' }, 30_000],
    [{ 'retry-after': 'Mon, 23 Nov 2026 03:00:30 GMT' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '' }, null],
    [{ 'retry-after': '-1' }, null],
    [{ 'retry-after': '99999999999' }, null],
    [{}, null],
  ])('with %j, waits %s ms', (headers, retryAfterMs) => {
    const body = { type: 'error', error: { type: 'rate_limit_error', message: 'x' } };
    expect(anthropicFailure({ status: 429, headers, body }, SECRET)).toMatchObject({ retryAfterMs });
  });

  it('gives no wait when the spend limit is reached', () => {
    const error = { type: 'rate_limit_error', details: { error_code: 'enforced_spend_limit_reached' } };
    const failure = anthropicFailure(
      { status: 429, headers: { 'retry-after': '5' }, body: { error } },
      SECRET,
    );
    expect(failure).toMatchObject({
      kind: 'money',
      code: 'enforced_spend_limit_reached',
      retryAfterMs: null,
    });
  });
});
