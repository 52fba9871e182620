import { refusalIn } from './authorization-refusal.js';

describe('why a network sends a person back without a code', () => {
  it.each([
    [{ error: 'access_denied' }, { kind: 'denied' }],
    [{ error: 'access_denied', error_code: '200', error_reason: 'user_denied' }, { kind: 'denied' }],
    [{ error_reason: 'user_denied' }, { kind: 'denied' }],
    [{ error: 'user_cancelled_login' }, { kind: 'denied' }],
    [{ error: 'ACCESS_DENIED' }, { kind: 'denied' }],
    [{ error_code: '100' }, { kind: 'misconfigured', code: '100' }],
    [{ error: 'invalid_scope' }, { kind: 'misconfigured', code: 'invalid_scope' }],
    [
      { error: '<script>', error_code: '100' },
      { kind: 'misconfigured', code: '100' },
    ],
    [{ error: '' }, { kind: 'misconfigured', code: null }],
    [{ error: `x${'y'.repeat(60)}` }, { kind: 'misconfigured', code: null }],
    [{ error: 'server_error' }, { kind: 'unavailable' }],
    [{}, null],
  ])('%j is %j', (parameters, expected) => {
    expect(refusalIn(parameters)).toEqual(expected);
  });
});
