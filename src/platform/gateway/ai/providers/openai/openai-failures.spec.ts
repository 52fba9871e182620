import { type FailureKind, mayBeBilled } from '../wires/failure.js';
import { openAiFailure } from './openai-failures.js';

const SECRET = 'sk-proj-abcdefghijklmnop';

/** What a response of status 200 says is read by its code; that of OpenRouter is a status. */
const rows: [FailureKind, number, object | undefined][] = [
  ['rate', 429, { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' }],
  ['rate', 429, { message: 'Slow down', type: 'requests', code: 'slow_down' }],
  ['rate', 503, { message: 'Slow down', code: 'slow_down' }],
  ['rate', 429, undefined],
  ['rate', 200, { code: 429, message: 'Rate limited' }],
  ['rate', 402, { code: 402, message: 'x', metadata: { limit_source: 'openrouter_in_flight_budget' } }],
  [
    'money',
    429,
    { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' },
  ],
  ['money', 429, { type: 'insufficient_quota', code: null }],
  ['money', 429, { type: 'billing', code: 'credit_balance_exhausted' }],
  ['money', 429, { code: 'organization_spend_limit_exceeded' }],
  ['money', 429, { code: 'project_spend_limit_exceeded' }],
  ['money', 429, { code: 'organization_usage_limit_exceeded' }],
  ['money', 400, { code: 'billing_hard_limit_reached', type: 'invalid_request_error' }],
  ['money', 402, { code: 402, message: 'Insufficient credits' }],
  ['money', 402, undefined],
  ['money', 403, { code: 403, message: 'Key limit exceeded (total limit).' }],
  ['money', 200, { code: 402, message: 'Insufficient credits' }],
  ['money', 200, { code: 403, message: 'Key limit exceeded (daily limit).' }],
  ['overload', 503, { type: 'server_error', code: 'server_is_overloaded' }],
  ['overload', 500, { type: 'server_error', code: null }],
  ['overload', 502, undefined],
  ['overload', 504, undefined],
  ['overload', 409, undefined],
  ['overload', 408, undefined],
  ['overload', 200, { type: 'server_error', code: null, message: 'x' }],
  ['overload', 200, { code: 502, message: 'The model is down' }],
  ['credential', 401, { type: 'invalid_request_error', code: 'invalid_api_key' }],
  ['credential', 401, undefined],
  ['credential', 200, { type: 'invalid_request_error', code: 'insufficient_permissions' }],
  ['credential', 403, { message: 'No access' }],
  ['model', 404, { type: 'invalid_request_error', code: 'model_not_found' }],
  ['model', 403, { type: 'invalid_request_error', code: 'model_not_found' }],
  ['model', 404, undefined],
  ['model', 400, { code: 400, message: 'x/y is not a valid model ID' }],
  ['too-long', 400, { type: 'invalid_request_error', code: 'context_length_exceeded' }],
  ['too-long', 400, { code: 400, message: "This endpoint's maximum context length is 8192 tokens." }],
  ['too-long', 413, undefined],
  ['policy', 400, { type: 'image_generation_user_error', code: 'moderation_blocked' }],
  ['policy', 400, { type: 'invalid_request_error', code: 'content_policy_violation' }],
  ['policy', 403, { code: 403, message: 'Flagged', metadata: { reasons: ['violence'], flagged_input: 'x' } }],
  ['policy', 200, { code: 403, message: 'Flagged', metadata: { reasons: ['violence'] } }],
  ['invalid', 400, { type: 'invalid_request_error', code: null, param: 'tools' }],
  ['invalid', 400, { type: 'image_generation_user_error', code: 'invalid_size' }],
  [
    'invalid',
    400,
    {
      message: `Invalid schema for function 'x': 'key limit exceeded' is not valid under any of the given schemas.`,
      type: 'invalid_request_error',
      param: 'tools[0].function.parameters',
      code: 'invalid_function_parameters',
    },
  ],
  ['invalid', 400, { code: 400, message: 'Key limit exceeded, insufficient credits' }],
  ['invalid', 400, { code: 400, message: `tools[0]: 'x is not a valid model ID' is not a type` }],
  ['credential', 403, { code: 403, message: `No access to 'key limit exceeded'` }],
  ['invalid', 422, undefined],
  ['invalid', 200, { type: 'invalid_request_error', code: 'invalid_prompt' }],
  ['unreadable', 200, { message: 'What?' }],
  ['unreadable', 200, undefined],
  ['unreadable', 302, undefined],
];

describe('failures of the OpenAI wire', () => {
  it.each(rows)('is %s: status %d with %j', (kind, status, error) => {
    const failure = openAiFailure({ status, headers: {}, body: error && { error } }, SECRET);
    expect(failure).toMatchObject({ kind, status, retryAfterMs: null });
  });

  it.each([
    ['a name of Object', { error: { code: 'constructor', type: '__proto__' } }],
    ['text in the place of an error', { error: 'bad' }],
    ['a list', [{ error: { message: 'bad' } }]],
    ['null', null],
  ])('reads a body with %s', (_, body) => {
    expect(openAiFailure({ status: 400, headers: {}, body }, SECRET).kind).toBe('invalid');
  });

  it.each([
    [401, { message: 'No' }, undefined],
    [403, { message: 'Project does not have access to model' }, true],
    [200, { code: 403, message: 'No access' }, true],
    [403, { code: 'account_deactivated' }, undefined],
  ])('are of one request, and not of the key: status %d with %j', (status, error, isOfRequest) => {
    const failure = openAiFailure({ status, headers: {}, body: { error } }, SECRET);
    expect([failure.kind, failure.isOfRequest]).toEqual(['credential', isOfRequest]);
  });

  it.each([
    ['drawing', { moderation_stage: 'output' }, true],
    ['a time that it does not say', undefined, true],
    ['its prompt was read', { moderation_stage: 'input' }, false],
  ])('can be a refusal of an image after %s', (_, details, isAfter) => {
    const error = { code: 'moderation_blocked', ...(details && { moderation_details: details }) };
    const failure = openAiFailure({ status: 400, headers: {}, body: { error } }, SECRET);
    expect(mayBeBilled(failure)).toBe(isAfter);
  });

  it.each([
    [
      402,
      'This request requires more credits, or fewer max_tokens. You requested up to 1000000 tokens, but can only afford 5000.',
      true,
    ],
    [
      402,
      'More credits are required to run this request. 128000 token capacity required, 19484 available.',
      true,
    ],
    [402, 'Prompt tokens limit exceeded: 230799 > 91442.', true],
    [402, 'Insufficient credits. Add more using https://openrouter.ai/settings/credits', undefined],
    [402, `Insufficient credits for 'This request requires more credits'`, undefined],
    [403, 'Key limit exceeded (total limit).', undefined],
  ])('of status %d lacks money, that with %j for the request alone: %s', (code, message, isOfRequest) => {
    for (const status of [code, 200]) {
      const failure = openAiFailure({ status, headers: {}, body: { error: { code, message } } }, SECRET);
      expect([failure.kind, failure.isOfRequest]).toEqual(['money', isOfRequest]);
    }
  });

  it.each([
    [400, 'content_policy_violation', false],
    [500, 'server_error', false],
    [502, null, true],
    [503, 'server_is_overloaded', false],
    [504, null, true],
    [429, 'rate_limit_exceeded', false],
  ])('of status %d with %s may be billed: %s', (status, code, isBilled) => {
    const failure = openAiFailure({ status, headers: {}, body: { error: { code } } }, SECRET);
    expect(mayBeBilled(failure)).toBe(isBilled);
  });

  it('keeps the code and the wait of the provider', () => {
    const headers = { 'retry-after-ms': '1500', 'retry-after': '9' };
    const body = { error: { code: 'rate_limit_exceeded', message: 'x' } };
    expect(openAiFailure({ status: 429, headers, body }, SECRET)).toMatchObject({
      code: 'rate_limit_exceeded',
      retryAfterMs: 1_500,
    });
  });

  it('gives no wait for what only a person ends', () => {
    const body = { error: { type: 'insufficient_quota' } };
    const failure = openAiFailure({ status: 429, headers: { 'retry-after': '9' }, body }, SECRET);
    expect(failure).toMatchObject({ kind: 'money', retryAfterMs: null });
  });

  it('names neither key nor account nor address', () => {
    const message = `Bad ${SECRET} sk-p***mnop of org-1234567890ab at https://x.test/a?key=1, ask a@b.test`;
    const failure = openAiFailure({ status: 400, headers: {}, body: { error: { message } } }, SECRET);
    expect(failure.detail).toContain('Bad');
    expect(failure.detail).not.toMatch(/sk-|org-|https|@|mnop/);
  });
});
