import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { loadConfig } from '#libs/config';
import { PublicFetchConfig } from './public-fetch.config.js';
import { PublicFetch, type PublicFetchRequest } from './public-fetch.js';

const MAX_BYTES = 100_000;
/** Longer than this process takes to connect to itself on a busy machine. */
const LIMIT_MS = 1_500;
const refused = (refusal: string) => ({ kind: 'refused', refusal });
const failed = (reason: string) => ({ kind: 'failed', reason });

/** With a DNS that gives the listed answers in turn, the last one from then on. */
class FetchForTests extends PublicFetch {
  readonly asked: string[] = [];

  constructor(
    origins: readonly string[] = [],
    private readonly dns: readonly (readonly string[])[] = [],
  ) {
    const FETCH_ALLOWED_ORIGINS = origins.join(',');
    super(loadConfig(PublicFetchConfig, { DEPLOY_ENV: 'local', FETCH_ALLOWED_ORIGINS }));
  }

  protected override resolve(host: string): Promise<readonly string[]> {
    this.asked.push(host);
    return Promise.resolve(this.dns[Math.min(this.asked.length, this.dns.length) - 1] ?? []);
  }

  read(url: string, request: Partial<PublicFetchRequest> = {}) {
    return this.get({ url, maxBytes: MAX_BYTES, ...request });
  }
}

describe('an address that a person or a model gave', () => {
  it.each([
    ['this machine', 'http://127.0.0.1/'],
    ['this machine in short', 'http://127.1/'],
    ['this machine as a number', 'http://2130706433/'],
    ['this machine in hexadecimal', 'http://0x7f000001/'],
    ['this machine in hexadecimal parts', 'http://0x7f.0.0.0x1/'],
    ['this machine in octal', 'http://017700000001/'],
    ['this machine in octal parts', 'http://0177.0.0.01/'],
    ['this machine with a dot at the end', 'http://127.0.0.1./'],
    ['this machine in circled digits', 'http://①②⑦.⓪.⓪.①/'],
    ['this machine with ideographic dots', 'http://127。0。0。1/'],
    ['this machine, escaped', 'http://%31%32%37.0.0.1/'],
    ['every interface', 'http://0/'],
    ['IPv6 of this machine', 'http://[::1]/'],
    ['IPv6 of this machine at length', 'http://[0:0:0:0:0:0:0:1]/'],
    ['IPv4 mapped into IPv6', 'http://[::ffff:127.0.0.1]/'],
    ['IPv4 mapped into IPv6 in hexadecimal', 'http://[::ffff:7f00:1]/'],
    ['IPv4 compatible with IPv6', 'http://[::127.0.0.1]/'],
    ['IPv4 behind NAT64', 'http://[64:ff9b::7f00:1]/'],
    ['IPv4 behind 6to4', 'http://[2002:7f00:1::]/'],
    ['a private network', 'https://10.0.0.1/'],
    ['a private network', 'https://192.168.0.1/'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data'],
    ['the metadata of a cloud as a number', 'http://2852039166/'],
    ['the metadata of a cloud by IPv6', 'http://[fd00:ec2::254]/'],
    ['a link', 'http://[fe80::1]/'],
    ['multicast', 'http://224.0.0.1/'],
    ['broadcast', 'http://255.255.255.255/'],
  ])('is refused where it is %s: %s', async (_, url) => {
    const fetch = new FetchForTests();
    expect(await fetch.read(url)).toEqual(refused('not-public'));
    expect(fetch.asked).toEqual([]);
  });

  it.each([
    ['not-an-address', 'no address'],
    ['not-an-address', '/feed.xml'],
    ['not-an-address', 'http://[fe80::1%25eth0]/'],
    ['not-an-address', 'http://256.256.256.256/'],
    ['scheme', 'ftp://news.example.com/'],
    ['scheme', 'file:///etc/passwd'],
    ['scheme', 'data:text/plain,x'],
    ['scheme', 'gopher://news.example.com/'],
    ['credentials', 'https://user@news.example.com/'],
    ['credentials', 'https://:password@news.example.com/'],
    ['credentials', 'https://news.example.com@127.0.0.1/'],
    ['port', 'http://news.example.com:8080/'],
    ['port', 'http://news.example.com:22/'],
    ['port', 'https://8.8.8.8:6379/'],
  ])('is refused (%s): %s', async (refusal, url) => {
    const fetch = new FetchForTests();
    expect(await fetch.read(url)).toEqual(refused(refusal));
    expect(fetch.asked).toEqual([]);
  });

  it.each([
    ['this machine', ['127.0.0.1']],
    ['this machine by IPv6', ['::1']],
    ['a mapped address', ['::ffff:10.0.0.1']],
    ['one private address behind public ones', ['93.184.216.34', '2606:2800:220:1::1', '10.0.0.1']],
  ])('is refused where its name leads to %s', async (_, answer) => {
    const fetch = new FetchForTests([], [answer]);
    expect(await fetch.read('http://news.example.com/')).toEqual(refused('not-public'));
    expect(await fetch.read('https://localhost./')).toEqual(refused('not-public'));
    expect(fetch.asked).toEqual(['news.example.com', 'localhost.']);
  });

  it('has to exist', async () => {
    expect(await new FetchForTests().read('http://nowhere.example.com/')).toEqual(failed('ENOTFOUND'));
  });
});

describe('a server on the list of allowed origins', () => {
  let server: Server;
  let origin: string;
  let answer: RequestListener;
  let requests: IncomingMessage[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => (requests = []));

  afterAll(() => new Promise((closed) => server.close(closed)));

  const redirect = (to: string) => (response: ServerResponse) =>
    response.writeHead(302, { location: to }).end('elsewhere');

  it('is read, and no other port of its host', async () => {
    answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/xml' }).end('<rss/>');
    const fetch = new FetchForTests([origin]);
    expect(await fetch.read(`${origin}/feed?a=b`, { accept: 'text/xml' })).toMatchObject({
      kind: 'answered',
      status: 200,
      url: `${origin}/feed?a=b`,
      headers: { 'content-type': 'text/xml' },
      body: Buffer.from('<rss/>'),
    });
    expect(requests[0]).toMatchObject({ url: '/feed?a=b', headers: { accept: 'text/xml' } });
    expect(await fetch.read('http://127.0.0.1:6379/')).toEqual(refused('port'));
    expect(await fetch.read('http://127.0.0.1/')).toEqual(refused('not-public'));
  });

  it('gives its statuses and headers', async () => {
    answer = (_request, response) => response.writeHead(404, { 'retry-after': '60' }).end('gone');
    const response = await new FetchForTests([origin]).read(origin);
    expect(response).toMatchObject({ kind: 'answered', status: 404, headers: { 'retry-after': '60' } });
  });

  it('is asked for once by name: the second answer of the DNS cannot redirect the connection', async () => {
    answer = (_request, response) => response.end('first');
    const named = origin.replace('127.0.0.1', 'rebind.example.com');
    const fetch = new FetchForTests([named], [['127.0.0.1'], ['192.0.2.1']]);
    expect(await fetch.read(named)).toMatchObject({ kind: 'answered', body: Buffer.from('first') });
    expect(fetch.asked).toEqual(['rebind.example.com']);
  });

  it.each([
    ['not-public', 'http://127.0.0.1/'],
    ['not-public', 'http://0x7f.1/'],
    ['not-public', '//[::1]/'],
    ['not-public', 'http://inside.example.com/'],
    ['port', 'http://127.0.0.1:22/'],
    ['scheme', 'file:///etc/passwd'],
    ['credentials', 'http://user:password@news.example.com/'],
    ['not-an-address', 'http://[nothing/'],
  ])('cannot redirect (%s) to %s', async (refusal, to) => {
    answer = (_request, response) => redirect(to)(response);
    const fetch = new FetchForTests([origin], [['10.0.0.1']]);
    expect(await fetch.read(origin)).toEqual(refused(refusal));
    expect(requests).toHaveLength(1);
  });

  it('can redirect three times, also by relative addresses', async () => {
    const last = (count: number): RequestListener => {
      return ({ url = '' }, response) => {
        const step = Number(url.slice(1));
        if (step < count) redirect(`${step + 1}`)(response);
        else response.end('here');
      };
    };
    const fetch = new FetchForTests([origin]);
    answer = last(3);
    const expected = { kind: 'answered', url: `${origin}/3`, body: Buffer.from('here') };
    expect(await fetch.read(`${origin}/0`)).toMatchObject(expected);
    answer = last(4);
    expect(await fetch.read(`${origin}/0`)).toEqual(refused('redirects'));
    expect(requests).toHaveLength(8);
  });

  it('cannot pass on a credential to another origin, nor get it back from there', async () => {
    const other = origin.replace('127.0.0.1', 'other.example.com');
    const steps: Record<string, string> = { '/0': '/1', '/1': `${other}/2`, '/2': `${origin}/3` };
    answer = ({ url = '' }, response) => {
      const next = steps[url];
      if (next) redirect(next)(response);
      else response.end();
    };
    const fetch = new FetchForTests([origin, other], [['127.0.0.1']]);
    const headers = { authorization: 'Bearer secret', 'x-key': 'secret' };
    await fetch.read(`${origin}/0`, { headers });
    const carried = requests.map(({ headers: sent }) => [sent.authorization, sent['x-key']]);
    expect(carried).toEqual([
      ['Bearer secret', 'secret'],
      ['Bearer secret', 'secret'],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('can compress with %s, up to the limit of what comes out of it', async (coding, compress) => {
    const fetch = new FetchForTests([origin]);
    const send = (body: Buffer) => {
      answer = (_request, response) =>
        response.writeHead(200, { 'content-encoding': coding }).end(compress(body));
      return fetch.read(origin);
    };
    const allowed = Buffer.alloc(MAX_BYTES, 'a');
    expect(await send(allowed)).toMatchObject({ kind: 'answered', body: allowed });
    expect(await send(Buffer.alloc(MAX_BYTES + 1))).toEqual(failed('ANSWER_TOO_LONG'));
    expect(await send(Buffer.alloc(50_000_000))).toEqual(failed('ANSWER_TOO_LONG'));
  });

  it.each([
    ['a bomb in two layers', 'gzip, gzip', gzipSync(gzipSync(Buffer.alloc(50_000_000)))],
    ['an unknown coding', 'zstd', Buffer.from('x')],
  ])('cannot send %s', async (_, coding, body) => {
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': coding }).end(body);
    expect(await new FetchForTests([origin]).read(origin)).toEqual(failed('UNKNOWN_CODING'));
  });

  it('cannot end a compressed body early', async () => {
    const half = gzipSync(Buffer.from('content')).subarray(0, 15);
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(half);
    expect(await new FetchForTests([origin]).read(origin)).toEqual(failed('Z_BUF_ERROR'));
  });

  it('cannot send compressed bytes without end that hold nothing', async () => {
    // An empty stored block of RFC 1951 after the head of a gzip file.
    const head = gzipSync('').subarray(0, 10);
    const nothing = Buffer.concat(Array.from({ length: 30_000 }, () => Buffer.from([0, 0, 0, 0xff, 0xff])));
    answer = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(head);
      response.write(nothing);
    };
    expect(await new FetchForTests([origin]).read(origin)).toEqual(failed('ANSWER_TOO_LONG'));
  });

  it('cannot send a body without end', async () => {
    const ended = Promise.withResolvers<void>();
    answer = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384)));
      };
      response.on('drain', more).on('close', ended.resolve);
      more();
    };
    expect(await new FetchForTests([origin]).read(origin)).toEqual(failed('ANSWER_TOO_LONG'));
    await ended.promise;
  });

  it.each([
    ['its head', 'HTTP/1.1 200 OK\r\nx-slow: '],
    ['its body', 'HTTP/1.1 200 OK\r\ncontent-length: 90000\r\n\r\n'],
    // RFC 1952: the flag FNAME, so that the file's name comes next and has no end.
    ['a compressed body', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\0\0\0\0\0\x03'],
  ])('cannot hold a call by sending %s in drips', async (_, begin) => {
    const ended = Promise.withResolvers<void>();
    answer = ({ socket }) => {
      socket.write(begin, 'latin1');
      const drip = setInterval(() => socket.write('.'), 10);
      socket.on('close', () => {
        clearInterval(drip);
        ended.resolve();
      });
    };
    const response = await new FetchForTests([origin]).read(origin, { timeoutMs: LIMIT_MS });
    expect(response).toEqual(failed('TimeoutError'));
    await ended.promise;
  });

  it('shares one time limit among its redirects', async () => {
    const ended = Promise.withResolvers<void>();
    answer = ({ url, socket }, response) => {
      if (url === '/') redirect('/silent')(response);
      else socket.on('close', ended.resolve);
    };
    expect(await new FetchForTests([origin]).read(origin, { timeoutMs: LIMIT_MS })).toEqual(
      failed('TimeoutError'),
    );
    await ended.promise;
  });

  it('is left when the caller ends the call', async () => {
    const caller = new AbortController();
    const ended = Promise.withResolvers<void>();
    answer = (request) => {
      request.socket.on('close', ended.resolve);
      caller.abort();
    };
    const fetch = new FetchForTests([origin]);
    expect(await fetch.read(origin, { signal: caller.signal })).toEqual(failed('AbortError'));
    await ended.promise;
    expect(await fetch.read(origin, { signal: caller.signal })).toEqual(failed('AbortError'));
    expect(requests).toHaveLength(1);
  });

  it('can break off', async () => {
    answer = ({ socket }) => socket.destroy();
    expect((await new FetchForTests([origin]).read(origin)).kind).toBe('failed');
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half');
      response.socket?.end();
    };
    expect((await new FetchForTests([origin]).read(origin)).kind).toBe('failed');
  });
});

describe('FETCH_ALLOWED_ORIGINS', () => {
  const load = (DEPLOY_ENV: string | undefined, FETCH_ALLOWED_ORIGINS: string) =>
    loadConfig(PublicFetchConfig, { DEPLOY_ENV, FETCH_ALLOWED_ORIGINS }).allowedOrigins;

  it('lists origins of a local installation', () => {
    expect(load('local', ' http://127.0.0.1:4010, https://localhost ')).toEqual(
      new Set(['http://127.0.0.1:4010', 'https://localhost']),
    );
    expect(load(undefined, '')).toEqual(new Set());
  });

  it.each([['production'], ['staging'], [undefined]])('stops the start elsewhere: %s', (deployment) => {
    expect(() => load(deployment, 'http://127.0.0.1:4010')).toThrow(/FETCH_ALLOWED_ORIGINS/);
  });

  it.each(['127.0.0.1:4010', 'http://127.0.0.1:4010/path', '*', 'http://2130706433', 'nothing'])(
    'takes no other text: %s',
    (text) => expect(() => load('local', text)).toThrow(/FETCH_ALLOWED_ORIGINS/),
  );
});
