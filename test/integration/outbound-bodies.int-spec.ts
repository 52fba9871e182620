import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { loadConfig } from '#libs/config';
import { OutboundHttp, OutboundHttpConfig, type StreamedBody } from '#libs/outbound-http';

const CHUNK = new Uint8Array(65_536).fill(7);

describe('bodies of calls to networks', () => {
  const http = new OutboundHttp(loadConfig(OutboundHttpConfig, { NETWORK_TIMEOUT_MS: '500' }));
  const servers: Server[] = [];

  const serving = async (handle: (request: IncomingMessage, response: ServerResponse) => void) => {
    const server = createServer(handle);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  /** Answers with what it received. */
  const echo = () =>
    serving((request, response) => {
      const hash = createHash('sha256');
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        hash.update(chunk);
        bytes += chunk.length;
      });
      request.on('end', () => {
        const { method, headers } = request;
        response.end(JSON.stringify({ method, headers, bytes, hash: hash.digest('hex') }));
      });
      request.on('error', () => undefined);
    });

  const streamOf = (chunks: number, taken = { chunks: 0 }): StreamedBody => ({
    length: chunks * CHUNK.length,
    async *open() {
      for (; taken.chunks < chunks; taken.chunks += 1) {
        await turn();
        yield CHUNK;
      }
    },
  });

  afterAll(async () => {
    await http.onApplicationShutdown();
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)('sends %s', async (method) => {
    const answer = await http.send({ method, url: await echo() });
    expect(answer).toMatchObject({ kind: 'answered', status: 200, body: { method, bytes: 0 } });
  });

  it('sends HEAD, which has no body to read', async () => {
    const url = await serving((_, response) => response.writeHead(308, { range: 'bytes=0-99' }).end());
    const answer = await http.send({ method: 'HEAD', url });
    expect(answer).toMatchObject({ status: 308, headers: { range: 'bytes=0-99' }, body: undefined });
  });

  it('sends bytes as they are, with the range they are a part of', async () => {
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const headers = { 'content-type': 'video/mp4', 'content-range': 'bytes 256-511/1024' };
    const answer = await http.send({ method: 'PUT', url: await echo(), headers, body });
    const hash = createHash('sha256').update(body).digest('hex');
    expect(answer).toMatchObject({ body: { bytes: 256, hash, headers } });
  });

  it('streams a body of a stated length and holds no more of it than the connection takes', async () => {
    const taken = { chunks: 0 };
    let heldBack: IncomingMessage | undefined;
    const url = await serving((request, response) => {
      heldBack = request;
      request.on('end', () => response.end('{"all":true}'));
    });
    const patient = new OutboundHttp(loadConfig(OutboundHttpConfig, {}));
    const call = patient.send({ method: 'PUT', url, body: streamOf(2_048, taken) });
    // The receiver reads nothing yet: once the buffers of both sockets are full, no more is taken.
    for (let before = -1, calm = 0; calm < 200; calm = before === taken.chunks ? calm + 1 : 0) {
      before = taken.chunks;
      await turn();
    }
    expect(taken.chunks).toBeGreaterThan(0);
    expect(taken.chunks).toBeLessThan(512);
    heldBack?.resume();
    expect(await call).toMatchObject({ kind: 'answered', body: { all: true } });
    expect(taken.chunks).toBe(2_048);
    await patient.onApplicationShutdown();
  });

  it('lets a stream take longer than one time limit while it moves', async () => {
    const body: StreamedBody = {
      length: 4 * CHUNK.length,
      async *open() {
        for (let chunk = 0; chunk < 4; chunk += 1) {
          await new Promise((resolve) => setTimeout(resolve, 200));
          yield CHUNK;
        }
      },
    };
    const answer = await http.send({ method: 'PUT', url: await echo(), body });
    expect(answer).toMatchObject({ kind: 'answered', body: { bytes: 4 * CHUNK.length } });
  });

  it('ends a stalled stream, on either side', async () => {
    const stuck: StreamedBody = { length: 10, open: () => new Promise(() => undefined) };
    const answer = await http.send({ method: 'PUT', url: await echo(), body: stuck, timeoutMs: 50 });
    expect(answer).toMatchObject({ kind: 'no-answer', reason: 'TimeoutError' });
    const deaf = await serving(() => undefined);
    const body = streamOf(2_048);
    expect(await http.send({ method: 'PUT', url: deaf, body, timeoutMs: 100 })).toMatchObject({
      kind: 'no-answer',
      reason: 'TimeoutError',
    });
  });

  it.each([
    ['fewer', 3],
    ['more', 1],
  ])('is no-answer when the stream holds %s bytes than stated', async (_, stated) => {
    const body = { ...streamOf(2), length: stated * CHUNK.length };
    expect(await http.send({ method: 'PUT', url: await echo(), body })).toMatchObject({ kind: 'no-answer' });
  });

  it('is no-answer when the stream breaks off', async () => {
    const body: StreamedBody = {
      length: 2 * CHUNK.length,
      // eslint-disable-next-line @typescript-eslint/require-await -- an async generator without await is enough for a stream.
      async *open() {
        yield CHUNK;
        throw new Error('The file is gone.');
      },
    };
    expect(await http.send({ method: 'PUT', url: await echo(), body })).toMatchObject({ kind: 'no-answer' });
  });

  it('opens no stream for a request that is not written', async () => {
    const open = () => {
      throw new Error('opened');
    };
    const body: StreamedBody = { length: 10, open };
    const url = await echo();
    expect(await http.send({ method: 'PUT', url, body, maySend: () => false })).toEqual({ kind: 'withheld' });
    expect(await http.send({ method: 'PUT', url: 'http://127.0.0.1:1/', body })).toMatchObject({
      kind: 'not-sent',
      reason: 'ECONNREFUSED',
    });
  });

  it('waits as long as the call allows, but never longer than a lease where that is asked', async () => {
    const url = await serving((_, response) => void setTimeout(() => response.end('{}'), 900));
    const call = { method: 'POST', url, timeoutMs: 5_000 } as const;
    expect((await http.send(call)).kind).toBe('answered');
    expect((await http.send({ ...call, maySend: () => true })).kind).toBe('no-answer');
    expect((await http.send({ method: 'POST', url, timeoutMs: 100 })).kind).toBe('no-answer');
  });

  it('aborts a response above the limit', async () => {
    const url = await serving((_, response) => response.end(JSON.stringify('a'.repeat(2_000_000))));
    expect(await http.send({ method: 'GET', url })).toEqual({ kind: 'no-answer', reason: 'ANSWER_TOO_LONG' });
    expect((await http.send({ method: 'GET', url, maxResponseBytes: 3_000_000 })).kind).toBe('answered');
  });
});
