import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { loadConfig } from '#libs/config';
import { ObjectStorage, ObjectStorageConfig } from '#libs/object-storage';
import { MediaAddresses } from '../../src/media/host/media-addresses.js';
import { BusinessApi } from '../support/business-api.js';
import { OwnStorage, storageEnvironment } from '../support/object-storage.js';
import { sha256 } from '../support/signed-request.js';
import { waitUntil } from '../support/wait-until.js';

const CONTENT = Buffer.from('0123456789');

const namesOf = () => {
  const mediaId = randomUUID();
  return { mediaId, object: `media/${mediaId}/renditions/${randomUUID()}.jpg` };
};

describe('the media host', () => {
  let own: OwnStorage;
  let storage: ObjectStorage;
  let api: BusinessApi;
  let url: string;
  const named = namesOf();

  const put = (key: string, content: Buffer) =>
    storage.put(key, {
      body: Readable.from([content]),
      length: content.length,
      sha256: sha256(content),
      // Never sent: the type of a response follows from the key.
      contentType: 'text/html',
    });
  const addressOf = (names = named, of = api) => {
    const address = of.service.app.get(MediaAddresses, { strict: false }).of(names);
    return `${of.service.url}${new URL(address).pathname}`;
  };
  const read = async (headers: Record<string, string> = {}, method = 'GET', address = url) => {
    const response = await fetch(address, { method, headers, redirect: 'error' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  beforeAll(async () => {
    own = await OwnStorage.start();
    storage = new ObjectStorage(loadConfig(ObjectStorageConfig, own.environment));
    api = await BusinessApi.start(own.environment);
    await put(named.object, CONTENT);
    url = addressOf();
  });
  afterAll(async () => {
    await api.stop();
    storage.onApplicationShutdown();
    await own.remove();
  });

  it('serves the object without credentials, so that no page can run it and any page can show it', async () => {
    const { status, headers, text } = await read();
    expect([status, text]).toEqual([200, '0123456789']);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '10',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"\w+"$/) as string,
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox') as string,
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers.has('set-cookie')).toBe(false);
  });

  it('answers HEAD with the same headers', async () => {
    const volatile = /^(date|connection|keep-alive|x-request-id|ratelimit.*|x-ratelimit.*)$/;
    const stable = (headers: Headers) => [...headers].filter(([name]) => !volatile.test(name));
    const [got, head] = [await read(), await read({}, 'HEAD')];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(stable(head.headers)).toEqual(stable(got.headers));
    expect((await read({ range: 'bytes=0-1' }, 'HEAD')).status).toBe(200);
  });

  it.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-5', '2345', 'bytes 2-5/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=7-100', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-100', '0123456789', 'bytes 0-9/10'],
    ['Bytes=1-1', '1', 'bytes 1-1/10'],
  ])('serves the range %s', async (range, text, contentRange) => {
    const answer = await read({ range });
    expect([answer.status, answer.text]).toEqual([206, text]);
    expect(answer.headers.get('content-range')).toBe(contentRange);
    expect(answer.headers.get('content-length')).toBe(String(text.length));
    expect(answer.headers.get('etag')).toBe((await read()).headers.get('etag'));
  });

  it.each(['bytes=0-1,3-4', 'bytes=5-2', 'bytes=x-1', 'items=0-1', 'bytes=-'])(
    'ignores the range %s',
    async (range) => {
      const answer = await read({ range });
      expect([answer.status, answer.text, answer.headers.get('content-range')]).toEqual([
        200,
        '0123456789',
        null,
      ]);
    },
  );

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('refuses the range %s', async (range) => {
    const answer = await read({ range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('applies a range only to the version that If-Range names', async () => {
    const etag = (await read()).headers.get('etag') ?? '';
    const range = 'bytes=1-2';
    expect(await read({ range, 'if-range': etag })).toMatchObject({ status: 206, text: '12' });
    for (const other of ['"x"', `W/${etag}`, 'Sun, 22 Nov 2026 10:00:00 GMT'])
      expect(await read({ range, 'if-range': other })).toMatchObject({ status: 200, text: '0123456789' });
  });

  it('answers 304 to a client that has the version', async () => {
    const etag = (await read()).headers.get('etag') ?? '';
    for (const method of ['GET', 'HEAD']) {
      const answer = await read({ 'if-none-match': `"x", ${etag}` }, method);
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await read({ 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('serves nothing for a forged address, an object that is gone or another path', async () => {
    const refused = async (address: string) => {
      const { status, text, headers } = await read({}, 'GET', address);
      return [status, (JSON.parse(text) as { code: string }).code, headers.get('cache-control')];
    };
    const gone = [404, 'media_not_found', 'no-store'];
    expect(await refused(url.replace(/.$/, '!'))).toEqual(gone);
    expect(await refused(addressOf(namesOf()))).toEqual(gone);
    expect((await read({ range: 'bytes=0-1' }, 'GET', addressOf(namesOf()))).status).toBe(404);
    expect((await read({}, 'HEAD', addressOf(namesOf()))).status).toBe(404);
    for (const path of ['/m', '/m/', `${new URL(url).pathname}/x`, '/robots.txt'])
      expect((await read({}, 'GET', `${api.service.url}${path}`)).status).toBe(404);
    expect((await read({}, 'POST')).status).toBe(405);
  });

  it('serves objects of any size, also none', async () => {
    const [empty, large] = [namesOf(), namesOf()];
    await put(empty.object, Buffer.alloc(0));
    expect(await read({}, 'GET', addressOf(empty))).toMatchObject({ status: 200, text: '' });
    expect((await read({ range: 'bytes=0-' }, 'GET', addressOf(empty))).status).toBe(416);
    const content = randomBytes(3_000_000);
    await put(large.object, content);
    const bytes = await (await fetch(addressOf(large))).bytes();
    expect(content.equals(bytes)).toBe(true);
  });

  describe('in front of a store', () => {
    const HUGE = 2_000_000_000;
    const piece = Buffer.alloc(64 * 1_024);
    let sent = 0;
    let isHeld = false;
    const store = createServer((_, response) => {
      response.writeHead(200, { 'content-length': HUGE, etag: '"x"' });
      const send = () => {
        while (!response.destroyed && sent < HUGE) {
          sent += piece.length;
          if (!response.write(piece)) return response.once('drain', send);
        }
        return response;
      };
      isHeld = true;
      response.once('close', () => (isHeld = false));
      send();
    });
    let slow: BusinessApi;
    const sockets: Socket[] = [];

    beforeAll(async () => {
      await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
      const { port } = store.address() as AddressInfo;
      slow = await BusinessApi.start({
        ...storageEnvironment(`http://127.0.0.1:${port}`, 'test'),
        S3_TIMEOUT_MS: '200',
      });
    });
    beforeEach(() => (sent = 0));
    afterAll(async () => {
      for (const socket of sockets) socket.destroy();
      await slow.stop();
      store.closeAllConnections();
      store.close();
    });

    /** A client that reads the first bytes only. */
    const clientThatStops = async () => {
      const { hostname, port, pathname, host } = new URL(addressOf(named, slow));
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
      await new Promise((resolve) => socket.once('data', resolve));
      socket.pause();
      return socket;
    };
    const settled = async () => {
      let [before, same] = [-1, 0];
      await waitUntil(() => {
        same = sent === before ? same + 1 : 0;
        before = sent;
        return Promise.resolve(same > 5);
      });
    };

    it('reads no faster than its client, and ends a response whose client does not read', async () => {
      const socket = await clientThatStops();
      await settled();
      expect(sent).toBeLessThan(64_000_000);
      await waitUntil(() => Promise.resolve(!isHeld));
      socket.resume();
      await new Promise((resolve) => socket.once('close', resolve));
      expect(socket.bytesRead).toBeLessThan(HUGE);
    });

    it('stops reading when its client is gone', async () => {
      const socket = await clientThatStops();
      expect(isHeld).toBe(true);
      socket.destroy();
      await waitUntil(() => Promise.resolve(!isHeld));
      expect(sent).toBeLessThan(64_000_000);
    });

    it('answers 503 while the store is down', async () => {
      const down = await BusinessApi.start(storageEnvironment('http://127.0.0.1:1', 'test'));
      const answer = await read({}, 'GET', addressOf(named, down));
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.text).toContain('object_storage_unavailable');
      await down.stop();
    });
  });
});
