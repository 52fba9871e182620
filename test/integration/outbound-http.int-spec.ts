import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer } from 'node:http';
import { constants, createSecureServer } from 'node:http2';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Agent } from 'undici';
import { loadConfig } from '#libs/config';
import { markWhenSent } from '../../libs/outbound-http/src/mark-when-sent.js';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';
import { loopbackTls } from '../support/loopback-tls.js';

describe('calling networks', () => {
  const http = new OutboundHttp(
    loadConfig(OutboundHttpConfig, { NETWORK_TIMEOUT_MS: '300' }, { connections: 1 }),
  );
  const servers: Server[] = [];
  const sockets = new Set<Socket>();

  const listening = async (server: Server): Promise<string> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const answering = (status: number, body: string) =>
    listening(createServer((_, response) => response.writeHead(status, { 'x-thing': 'yes' }).end(body)));
  const post = (url: string, maySend?: () => boolean) =>
    http.send({ method: 'POST', url, body: '{}', maySend });

  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
    await http.onApplicationShutdown();
  });

  it('returns the response with parsed JSON, or no body if it is not JSON', async () => {
    expect(await post(await answering(201, '{"id":"1"}'))).toMatchObject({
      kind: 'answered',
      status: 201,
      body: { id: '1' },
      headers: { 'x-thing': 'yes' },
    });
    expect(await post(await answering(200, '<html>'))).toMatchObject({ kind: 'answered', body: undefined });
  });

  it('keeps integers that no number can represent as text', async () => {
    const body =
      '{"ids":[7291234567890123457,-9007199254740993,12],"text":"1234567890123456789","far":1e300}';
    expect(await post(await answering(200, body))).toMatchObject({
      body: {
        ids: ['7291234567890123457', '-9007199254740993', 12],
        text: '1234567890123456789',
        far: 1e300,
      },
    });
  });

  it('asks for responses without a content coding, which it does not decode', async () => {
    const url = await listening(
      createServer(({ headers }, response) =>
        response.end(JSON.stringify(headers['accept-encoding'] ?? 'any')),
      ),
    );
    expect(await post(url)).toMatchObject({ body: 'identity' });
  });

  it('follows no redirect', async () => {
    expect(await post(await answering(302, ''))).toMatchObject({ kind: 'answered', status: 302 });
  });

  it('reports that nothing was sent when nothing listens or DNS fails', async () => {
    expect(await post('http://127.0.0.1:1/')).toMatchObject({ kind: 'not-sent', reason: 'ECONNREFUSED' });
    expect((await post('http://nobody.invalid/')).kind).toBe('not-sent');
  });

  it('reports that a request may have been received when no response arrives', async () => {
    const silent = await listening(createServer(() => undefined));
    expect((await post(silent)).kind).toBe('no-answer');
    const rude = await listening(createServer((request) => request.socket.destroy()));
    expect((await post(rude)).kind).toBe('no-answer');
    const cut = await listening(
      createServer((_, response) => {
        response.writeHead(201, { 'content-length': '100' }).write('{"id"');
        setTimeout(() => response.destroy(), 20);
      }),
    );
    expect((await post(cut)).kind).toBe('no-answer');
  });

  it('reports that nothing was sent after waiting too long for a connection', async () => {
    const seen = new Set<string | undefined>();
    const silent = await listening(createServer(({ url }) => seen.add(url)));
    const paths = ['/1', '/2', '/3', '/4', '/5', '/6'];
    const answers = await Promise.all(paths.map((path) => post(silent + path)));
    const notSent = paths.filter((_, index) => answers[index]?.kind === 'not-sent');
    expect(answers[0]?.kind).toBe('no-answer');
    expect(notSent).toContain('/6');
    expect(notSent.filter((path) => seen.has(path))).toEqual([]);
  });

  it('asks right before it writes, and writes nothing without permission', async () => {
    let received = 0;
    const counting = await listening(
      createTcpServer((socket) => {
        socket.on('data', (data) => (received += data.length));
        socket.on('error', () => undefined);
      }),
    );
    expect((await post(counting, () => false)).kind).toBe('withheld');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(received).toBe(0);
  });

  describe('over TLS, at a server that would rather speak HTTP/2', () => {
    const patient = new OutboundHttp(loadConfig(OutboundHttpConfig, {}));
    const trusted = getCACertificates('default');
    const seen: string[] = [];
    let url: string;

    beforeAll(async () => {
      setDefaultCACertificates([...trusted, loopbackTls.cert]);
      const server = createSecureServer({ ...loopbackTls, allowHTTP1: true }, (request, response) => {
        request.on('data', (body: Buffer) => {
          seen.push(`${request.httpVersion} ${request.method} ${body.toString()}`);
          // Says that it has not touched the request, which a client of HTTP/2 may send again by itself.
          if ('stream' in response) response.stream.close(constants.NGHTTP2_REFUSED_STREAM);
          else request.socket.destroy();
        });
      });
      url = (await listening(server)).replace('http:', 'https:');
    });
    beforeEach(() => void seen.splice(0));

    afterAll(async () => {
      setDefaultCACertificates(trusted);
      await patient.onApplicationShutdown();
    });

    it('publishes a post once when a response is lost', async () => {
      expect((await patient.send({ method: 'POST', url, body: '{}' })).kind).toBe('no-answer');
      expect(seen).toEqual(['1.1 POST {}']);
    });

    it('asks for permission once, and reports an interrupted request as sent', async () => {
      const answers = [true, false];
      const maySend = () => answers.shift() ?? false;
      expect((await patient.send({ method: 'POST', url, body: '{}', maySend })).kind).toBe('no-answer');
      expect([seen.length, answers]).toEqual([1, [false]]);
    });

    it('prevents repeated writes, also by a dispatcher that retries', async () => {
      const repeating = new Agent({ allowH2: true });
      const mark = { sent: false, withheld: false, maySend: () => true };
      const request = { origin: url, path: '/', method: 'POST', body: '{}', opaque: mark } as const;
      await expect(repeating.compose(markWhenSent).request(request)).rejects.toThrow();
      expect([seen, mark]).toMatchObject([['2.0 POST {}'], { sent: true, withheld: false }]);
      await repeating.destroy();
    });
  });
});
