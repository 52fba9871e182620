import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { loadConfig } from '#libs/config';
import { IntegrationsConfig } from '../integrations.config.js';
import type { OutboundAnswer } from '../outbound/outbound-http.js';
import { RefreshConnection, RefreshConnectionHandler } from './refresh-connection.js';

const secret = 'an-internal-token-of-at-least-32-characters';
const config = loadConfig(IntegrationsConfig, { INTERNAL_SERVICE_TOKEN: secret });
const answered = (status: number, body?: unknown): OutboundAnswer => ({
  kind: 'answered',
  status,
  headers: {},
  body,
});

describe('having the API renew tokens', () => {
  const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  afterEach(() => errors.mockClear());
  afterAll(() => errors.mockRestore());

  const asking = (...answers: OutboundAnswer[]) => {
    const http = { send: () => Promise.resolve(answers.shift()) };
    const handler = new RefreshConnectionHandler(http as never, config);
    return () => handler.execute(new RefreshConnection('c'));
  };

  it.each(['refreshed', 'reconnect-needed', 'misconfigured', 'unavailable'])(
    'hands on %s',
    async (result) => {
      expect(await asking(answered(200, { result }))()).toBe(result);
      expect(errors).not.toHaveBeenCalled();
    },
  );

  it.each([
    { kind: 'not-sent', reason: 'ECONNREFUSED' } as const,
    { kind: 'no-answer', reason: 'UND_ERR_HEADERS_TIMEOUT' } as const,
    answered(503, { status: 503 }),
    answered(502),
    answered(429),
  ])('takes for passing what passes (%j)', async (answer) => {
    expect(await asking(answer)()).toBe('unavailable');
    expect(errors).not.toHaveBeenCalled();
  });

  it.each([401, 403, 404, 200, 301])(
    'says which settings to check when %i is no answer of that route, and never what is in them',
    async (status) => {
      expect(await asking(answered(status))()).toBe('misconfigured');
      const said = errors.mock.calls.join();
      for (const word of [String(status), 'API_INTERNAL_URL', 'INTERNAL_SERVICE_TOKEN'])
        expect(said).toContain(word);
      expect(said).not.toContain(secret);
    },
  );

  it('says it once, and again after it was right in between', async () => {
    const ask = asking(answered(401), answered(401), answered(200, { result: 'refreshed' }), answered(404));
    const said = [];
    for (let n = 0; n < 4; n++) said.push(await ask().then(() => errors.mock.calls.length));
    expect(said).toEqual([1, 1, 1, 2]);
  });
});
