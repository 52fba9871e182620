import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { createServer } from 'node:http';
import { loadConfig } from '#libs/config';
import { OutboundHttp } from '../../src/integrations/outbound/outbound-http.js';
import { OutboundHttpConfig } from '../../src/integrations/outbound/outbound-http.config.js';

describe('calling networks', () => {
  const http = new OutboundHttp(
    loadConfig(OutboundHttpConfig, { NETWORK_TIMEOUT_MS: '300', NETWORK_CONNECTIONS: '1' }),
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

  it('hands on what was answered, JSON parsed, anything else as unreadable', async () => {
    expect(await post(await answering(201, '{"id":"1"}'))).toMatchObject({
      kind: 'answered',
      status: 201,
      body: { id: '1' },
      headers: { 'x-thing': 'yes' },
    });
    expect(await post(await answering(200, '<html>'))).toMatchObject({ kind: 'answered', body: undefined });
  });

  it('follows no redirect', async () => {
    expect(await post(await answering(302, ''))).toMatchObject({ kind: 'answered', status: 302 });
  });

  it('knows that nothing was sent when nobody listens or no name is found', async () => {
    expect(await post('http://127.0.0.1:1/')).toMatchObject({ kind: 'not-sent', reason: 'ECONNREFUSED' });
    expect((await post('http://nobody.invalid/')).kind).toBe('not-sent');
  });

  it('knows that it may have been received when the answer never comes', async () => {
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

  it('knows that nothing was sent while another call held the connection for too long', async () => {
    const seen = new Set<string | undefined>();
    const silent = await listening(createServer(({ url }) => seen.add(url)));
    const paths = ['/1', '/2', '/3', '/4', '/5', '/6'];
    const answers = await Promise.all(paths.map((path) => post(silent + path)));
    const notSent = paths.filter((_, index) => answers[index]?.kind === 'not-sent');
    expect(answers[0]?.kind).toBe('no-answer');
    expect(notSent).toContain('/6');
    expect(notSent.filter((path) => seen.has(path))).toEqual([]);
  });

  it('asks right before it writes, and then writes nothing', async () => {
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
});
