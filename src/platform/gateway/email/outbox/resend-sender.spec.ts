import type { OutboundResponse } from '#libs/outbound-http';
import { resendOutcome } from './resend-sender.js';

const answered = (status: number, body: unknown, headers: Record<string, string> = {}): OutboundResponse => ({
  kind: 'answered',
  status,
  headers,
  body,
});
const refusal = (status: number, name: string, headers = {}) =>
  answered(status, { statusCode: status, name, message: 'Because.' }, headers);

describe('a response of Resend', () => {
  it.each<[string, OutboundResponse, object]>([
    ['an id', answered(200, { id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' }), { kind: 'accepted' }],
    ['no id', answered(200, {}), { kind: 'repeat' }],
    ['half a body', answered(200, undefined), { kind: 'repeat' }],
    ['no connection', { kind: 'not-sent', reason: 'ECONNREFUSED' }, { kind: 'later' }],
    ['no answer', { kind: 'no-answer', reason: 'UND_ERR_SOCKET' }, { kind: 'repeat' }],
    ['an internal error', refusal(500, 'application_error'), { kind: 'repeat' }],
    ['a concurrent call', refusal(409, 'concurrent_idempotent_requests'), { kind: 'repeat' }],
    ['a conflict of a name that is not known', refusal(409, 'a_name_of_tomorrow'), { kind: 'repeat' }],
    ['another body', refusal(409, 'invalid_idempotent_request'), { kind: 'uncertain' }],
    [
      'a rate limit',
      refusal(429, 'rate_limit_exceeded', { 'retry-after': '3' }),
      { kind: 'later', retryAfterMs: 3000 },
    ],
    ['a quota', refusal(429, 'daily_quota_exceeded'), { kind: 'later', code: 'daily_quota_exceeded' }],
    ['another key', refusal(403, 'invalid_api_key'), { kind: 'credential' }],
    ['no key', refusal(401, 'missing_api_key'), { kind: 'credential' }],
    ['a foreign domain', refusal(403, 'validation_error'), { kind: 'refused', code: 'validation_error' }],
    ['a bad address', refusal(422, 'validation_error'), { kind: 'refused' }],
  ])('with %s', (_, response, expected) => expect(resendOutcome(response)).toMatchObject(expected));
});
