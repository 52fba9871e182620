import { createServer } from 'node:http';
import { jest } from '@jest/globals';
import { closeServer, listen } from './running-service.js';

/** Streams that a process of the gateway serves at a time (AI_MAX_STREAMS). */
const STREAMS = 10_000;

describe('the address that a service listens on', () => {
  it('has an accept queue for all streams of a process that connect again at once', async () => {
    const server = createServer();
    const asked = jest.spyOn(server, 'listen');
    await listen(server, 0, '127.0.0.1');
    try {
      const [options] = asked.mock.calls[0] as unknown as [{ backlog?: number }];
      expect(options.backlog).toBeGreaterThan(STREAMS);
    } finally {
      await closeServer(server, 0);
    }
  });
});
