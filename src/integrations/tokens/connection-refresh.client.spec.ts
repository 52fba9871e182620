import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { loadConfig } from '#libs/config';
import type { OutboundResponse } from '#libs/outbound-http';
import { IntegrationsConfig } from '../integrations.config.js';
import { ConnectionRefreshClient } from './connection-refresh.client.js';

const secret = 'an-internal-token-of-at-least-32-characters';
const config = loadConfig(IntegrationsConfig, { INTERNAL_SERVICE_TOKEN: secret });
const answered = (status: number, body?: unknown): OutboundResponse => ({
  kind: 'answered',
  status,
  headers: {},
  body,
});

describe('asking the API to renew tokens', () => {
  const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  afterEach(() => errors.mockClear());
  afterAll(() => errors.mockRestore());

  const client = (...answers: OutboundResponse[]) => {
    const http = { send: () => Promise.resolve(answers.shift()) };
    const refreshes = new ConnectionRefreshClient(http as never, config);
    return () => refreshes.refresh('c');
  };

  it.each(['refreshed', 'reconnect-needed', 'misconfigured', 'unavailable'])('returns %s', async (result) => {
    expect(await client(answered(200, { result }))()).toEqual({ result });
    expect(errors).not.toHaveBeenCalled();
  });

  it('returns the network’s name of the error that ended the grant, and no value that is not one', async () => {
    const ended = { result: 'reconnect-needed', networkCode: 'invalid_grant' };
    expect(await client(answered(200, ended))()).toEqual(ended);
    for (const networkCode of [null, 7, 'x'.repeat(101)])
      expect(await client(answered(200, { ...ended, networkCode }))()).toEqual({
        result: 'reconnect-needed',
      });
  });

  it.each([
    { kind: 'not-sent', reason: 'ECONNREFUSED' } as const,
    { kind: 'no-answer', reason: 'UND_ERR_HEADERS_TIMEOUT' } as const,
    answered(503, { status: 503 }),
    answered(502),
    answered(429),
  ])('reports a transient failure as unavailable (%j)', async (answer) => {
    expect(await client(answer)()).toEqual({ result: 'unavailable' });
    expect(errors).not.toHaveBeenCalled();
  });

  it.each([401, 403, 404, 200, 301])(
    'logs which settings to check when the status is %i, never their values',
    async (status) => {
      expect(await client(answered(status))()).toEqual({ result: 'misconfigured' });
      const logged = errors.mock.calls.join();
      for (const word of [String(status), 'API_INTERNAL_URL', 'INTERNAL_SERVICE_TOKEN'])
        expect(logged).toContain(word);
      expect(logged).not.toContain(secret);
    },
  );

  it('logs once, and again after a success in between', async () => {
    const refresh = client(
      answered(401),
      answered(401),
      answered(200, { result: 'refreshed' }),
      answered(404),
    );
    const logged = [];
    for (let n = 0; n < 4; n++) logged.push(await refresh().then(() => errors.mock.calls.length));
    expect(logged).toEqual([1, 1, 1, 2]);
  });
});
