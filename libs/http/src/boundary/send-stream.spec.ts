import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { sendStream } from './send-stream.js';

const endless = () =>
  Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1_000);
    })(),
  );

describe('a streamed body', () => {
  let answer: (response: ServerResponse) => Promise<void>;
  let answered = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    answer(response).then(answered.resolve, answered.reject);
  });

  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  beforeEach(() => (answered = Promise.withResolvers()));
  afterAll(() => server.close());

  const ask = () => {
    const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
    return request.on('error', () => undefined);
  };

  it('is closed when its client was gone before', async () => {
    const body = endless();
    answer = async (response) => {
      request.destroy();
      await once(response, 'close');
      await sendStream(body, response);
    };
    const request = ask();
    await answered.promise;
    expect(body.destroyed).toBe(true);
  });

  it('is closed when its client goes away', async () => {
    const body = endless();
    answer = (response) => sendStream(body, response);
    const request = ask().once('response', (response) => {
      response.on('error', () => undefined);
      response.once('data', () => request.destroy());
    });
    await answered.promise;
    expect(body.destroyed).toBe(true);
  });

  it('ends the connection when it breaks', async () => {
    const body = new Readable({ read: () => undefined });
    answer = async (response) => {
      response.setHeader('content-length', 10);
      body.push('abc');
      setImmediate(() => body.destroy(new Error('The store is gone.')));
      await sendStream(body, response);
    };
    const [response] = (await once(ask(), 'response')) as [Readable];
    await expect(once(response.resume(), 'end')).rejects.toThrow('aborted');
    await answered.promise;
  });
});
