import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { loadConfig } from '#libs/config';
import {
  OutboundHttp,
  OutboundHttpConfig,
  type OutboundRequest,
  type ResponseBody,
} from '#libs/outbound-http';
import { waitUntil } from '../support/wait-until.js';

const CHUNK = Buffer.alloc(65_536, 7);

describe('streamed responses', () => {
  const http = new OutboundHttp(
    loadConfig(OutboundHttpConfig, { NETWORK_TIMEOUT_MS: '5000' }, { connections: 200 }),
  );
  const servers: Server[] = [];

  const serving = async (handle: (request: IncomingMessage, response: ServerResponse) => void) => {
    const server = createServer(handle);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const opened = async (url: string, options: Partial<OutboundRequest> = {}): Promise<ResponseBody> => {
    const response = await http.stream({ method: 'GET', url, ...options });
    if (response.kind !== 'answered') throw new Error(`Expected a response, got ${response.kind}.`);
    return response.body;
  };
  /** Whether the server saw the end of the connection. */
  const watched = async (write: (response: ServerResponse) => void) => {
    const seen = { closed: false };
    const url = await serving((_, response) => {
      response.on('close', () => (seen.closed = true));
      write(response);
    });
    return { url, seen };
  };

  afterAll(async () => {
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
    await http.onApplicationShutdown();
  });

  it('gives status, headers and the bytes as they arrive', async () => {
    let response: ServerResponse | undefined;
    const url = await serving((_, opening) => {
      response = opening.writeHead(206, { 'x-thing': ['one', 'two'] });
      response.write('a');
    });
    const answer = await http.stream({ method: 'GET', url });
    expect(answer).toMatchObject({ kind: 'answered', status: 206, headers: { 'x-thing': 'one' } });
    if (answer.kind !== 'answered') return;
    const chunks = answer.body[Symbol.asyncIterator]();
    expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe('a');
    response?.end('b');
    expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe('b');
    expect((await chunks.next()).done).toBe(true);
  });

  it('takes no more from the connection than is read, apart from buffers', async () => {
    let written = 0;
    const url = await serving((_, response) => {
      const more = () => {
        while (written < 4_096 && response.write(CHUNK)) written += 1;
      };
      response.on('drain', more).on('error', () => undefined);
      more();
    });
    const body = await opened(url);
    const chunks = body[Symbol.asyncIterator]();
    await chunks.next();
    for (let before = -1, calm = 0; calm < 200; calm = before === written ? calm + 1 : 0) {
      before = written;
      await turn();
    }
    expect(written).toBeLessThan(512);
    await chunks.return();
  });

  it('ends the request when the reader stops early or discards the response', async () => {
    const first = await watched((response) => response.write('a'));
    for await (const chunk of await opened(first.url)) {
      expect(chunk.length).toBe(1);
      break;
    }
    await waitUntil(() => first.seen.closed);
    const second = await watched((response) => response.write('a'));
    (await opened(second.url)).discard();
    await waitUntil(() => second.seen.closed);
  });

  it('ends when the caller aborts: before the response, in the body, and in the queue for a connection', async () => {
    const silent = await watched(() => undefined);
    const before = new AbortController();
    const call = http.stream({ method: 'POST', url: silent.url, body: '{}', signal: before.signal });
    setTimeout(() => before.abort(), 30);
    expect(await call).toEqual({ kind: 'no-answer', reason: 'AbortError' });

    const begun = await watched((response) => response.write('a'));
    const within = new AbortController();
    const body = await opened(begun.url, { signal: within.signal });
    const reading = (async () => {
      for await (const chunk of body) if (chunk.length > 0) within.abort();
    })();
    await expect(reading).rejects.toMatchObject({ code: 'AbortError' });
    await waitUntil(() => begun.seen.closed);

    const narrow = new OutboundHttp(loadConfig(OutboundHttpConfig, {}, { connections: 1 }));
    const holding = await narrow.stream({ method: 'GET', url: begun.url });
    const queued = new AbortController();
    const waiting = narrow.stream({ method: 'GET', url: begun.url, signal: queued.signal });
    await turn();
    queued.abort();
    expect(await waiting).toEqual({ kind: 'not-sent', reason: 'AbortError' });
    const late = await narrow.stream({ method: 'GET', url: begun.url, timeoutMs: 30 });
    expect(late).toEqual({ kind: 'not-sent', reason: 'TimeoutError' });
    const gone = AbortSignal.abort();
    expect(await narrow.stream({ method: 'GET', url: begun.url, signal: gone })).toMatchObject({
      kind: 'not-sent',
    });
    if (holding.kind === 'answered') holding.body.discard();
    await narrow.onApplicationShutdown();
  });

  it('removes its listener from the signal of the caller', async () => {
    const url = await serving((_, response) => response.end('{}'));
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (type: string, listener: () => void) => {
      listeners.add(listener);
      add(type, listener);
    };
    const remove = signal.removeEventListener.bind(signal);
    signal.removeEventListener = (type: string, listener: () => void) => {
      listeners.delete(listener);
      remove(type, listener);
    };
    expect((await http.send({ method: 'GET', url, signal })).kind).toBe('answered');
    expect((await http.send({ method: 'GET', url: 'http://127.0.0.1:1', signal })).kind).toBe('not-sent');
    expect(listeners.size).toBe(0);
  });

  it('ends a silent response, but never because its reader is slow', async () => {
    const silent = await opened(await serving((_, response) => response.write('a')), { idleTimeoutMs: 50 });
    await expect(silent.bytes(100)).rejects.toMatchObject({ code: 'TimeoutError' });

    const url = await serving((_, response) => {
      response.write('a');
      setTimeout(() => response.end('b'), 20);
    });
    const read: string[] = [];
    for await (const chunk of await opened(url, { idleTimeoutMs: 50 })) {
      read.push(Buffer.from(chunk).toString());
      await wait(120);
    }
    expect(read.join('')).toBe('ab');
  });

  it('ends with the limit for the whole call', async () => {
    const url = await serving((_, response) => {
      const ticking = setInterval(() => response.write('a'), 10);
      response.on('close', () => clearInterval(ticking));
    });
    const body = await opened(url, { timeoutMs: 100, idleTimeoutMs: 1_000 });
    await expect(body.bytes(1_000_000)).rejects.toMatchObject({ code: 'TimeoutError' });
  });

  it('never ends cleanly when the response is cut or too long', async () => {
    const cut = await serving((_, response) => {
      response.write('data: half');
      setTimeout(() => response.destroy(), 20);
    });
    await expect((await opened(cut)).bytes(100)).rejects.toMatchObject({
      name: 'Error',
      code: 'UND_ERR_SOCKET',
    });
    const long = await watched((response) => response.write(CHUNK));
    await expect((await opened(long.url)).bytes(100)).rejects.toMatchObject({ code: 'ANSWER_TOO_LONG' });
    await waitUntil(() => long.seen.closed);
  });

  it('holds many open streams at a time', async () => {
    const url = await serving((_, response) => response.write('a'));
    const bodies = await Promise.all(Array.from({ length: 150 }, () => opened(url)));
    expect(bodies).toHaveLength(150);
    for (const body of bodies) body.discard();
  });
});
