import type { OutboundResponse } from '#libs/outbound-http';
import { grantIn, isFinal, mayPublish, refusedRenewal } from './token-endpoint.js';

const answered = (status: number, body: unknown): OutboundResponse => ({
  kind: 'answered',
  status,
  headers: {},
  body,
});
const isDead = ({ body }: { body: unknown }) =>
  (body as { error?: unknown } | undefined)?.error === 'invalid_grant';
const ofClient = (response: OutboundResponse) =>
  response.kind === 'answered' &&
  (response.body as { error?: unknown } | undefined)?.error === 'invalid_client';

describe('a renewal without tokens', () => {
  it.each([
    [400, { error: 'invalid_grant' }, 'dead'],
    [401, { error: 'invalid_client' }, 'misconfigured'],
    [400, { error: 'invalid_client' }, 'misconfigured'],
    [400, { error: 'invalid_request' }, 'unavailable'],
    [400, { error: 'temporarily_unavailable' }, 'unavailable'],
    [403, { message: 'Blocked by policy' }, 'unavailable'],
    // The page of a firewall is no JSON.
    [403, undefined, 'unavailable'],
    [400, undefined, 'unavailable'],
    [200, {}, 'unavailable'],
    [429, { error: 'invalid_grant' }, 'unavailable'],
    [503, undefined, 'unavailable'],
  ])('that is answered by %i %j is %s', (status, body, kind) => {
    expect(refusedRenewal(answered(status, body), isDead, ofClient)).toEqual({
      kind,
      ...(kind === 'dead' && { networkCode: 'invalid_grant' }),
    });
  });
});

describe('the response to a code', () => {
  it.each([
    [400, { error: 'invalid_grant' }, true],
    [400, { error: 'temporarily_unavailable' }, false],
    [400, { error: 'server_error' }, false],
    [403, undefined, false],
    [429, { error: 'slow' }, false],
  ])('%i %j is final: %s', (status, body, expected) => {
    expect(isFinal(answered(status, body))).toBe(expected);
  });
});

describe('the tokens of a grant', () => {
  const now = new Date('2026-01-15T10:00:00.000Z');
  const granted = (fields: object) =>
    grantIn(answered(200, { access_token: 'a', ...fields }), now, { separator: ' ', max: 100 });

  it.each([
    [7_200, '2026-01-15T12:00:00.000Z'],
    ['7200', '2026-01-15T12:00:00.000Z'],
    ['soon', null],
    ['-1', null],
  ])('with expires_in %j end at %s', (seconds, end) => {
    expect(granted({ expires_in: seconds })?.expiresAt).toBe(end);
  });

  it('without the right to publish connect nothing, when the network names the rights', () => {
    const grant = granted({ scope: 'read write' });
    expect(grant && mayPublish('Network', ['read', 'write'], grant)).toBe(grant);
    const silent = granted({});
    expect(silent && mayPublish('Network', ['write'], silent)).toBe(silent);
    const refused = granted({ scope: 'read' });
    expect(() => refused && mayPublish('Network', ['read', 'write'], refused)).toThrow(
      expect.objectContaining({ code: 'authorization_failed', message: expect.stringContaining('write') }),
    );
  });
});
