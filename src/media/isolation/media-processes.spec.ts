import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaProcesses } from './media-processes.js';
import { SourceIsGone, SourceIsUnavailable } from './source.js';
import type { TaskOutcome, MediaTask } from './media-task.js';

const BYTES = Buffer.from('0123456789');
const ETAG = '"one"';
const ERRORS = JSON.stringify(import.meta.resolve('./isolation.errors.js'));

/** Serves BYTES as the store does: one range, If-Match. */
const serveBytes: RequestListener = (request, response) => {
  const [, start = '0', end = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (request.headers['if-match'] !== ETAG) return void response.writeHead(412).end();
  response.writeHead(206).end(BYTES.subarray(Number(start), Number(end) + 1));
};

const task = (code: string, timeLimitMs = 30_000): MediaTask<unknown, unknown> => ({
  name: 'test',
  module: new URL(
    `data:text/javascript,${encodeURIComponent(`export const run = async ({source, folder}, input) => {${code}}`)}`,
  ),
  timeLimitMs,
});

let processes: MediaProcesses;
let folder: string;
let server: Server;
let answer: RequestListener;

const run = (
  code: string,
  options: { input?: unknown; limitMs?: number; etag?: string; signal?: AbortSignal } = {},
) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/object`;
  const source = { url, etag: options.etag ?? ETAG, bytes: BYTES.length };
  const request = { input: options.input, source, budget: { bytes: 100, reads: 20 }, folder };
  return processes.run(task(code, options.limitMs), request, options.signal);
};
const done = (output: unknown): TaskOutcome<unknown> => ({ kind: 'done', output });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-process-test-'));
  processes = new MediaProcesses({ processes: 1 });
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => (answer = serveBytes));
afterAll(async () => {
  await processes.onApplicationShutdown();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

describe('a process', () => {
  it('reads ranges of the source, cut at its end', async () => {
    const code = `const text = async (a, b) => new TextDecoder().decode(await source.read(a, b));
      return [await text(2, 5), await text(8, 40), await text(3, 3), source.bytes]`;
    expect(await run(code)).toEqual(done(['234', '89', '', 10]));
  });

  it('streams a range and writes to the folder', async () => {
    const code = `const {writeFile} = await import('node:fs/promises');
      await writeFile(folder + '/out', source.stream(1, 9)); return input`;
    expect(await run(code, { input: { a: [1, new Date(5)] } })).toEqual(done({ a: [1, new Date(5)] }));
    expect(await readFile(join(folder, 'out'), 'utf8')).toBe('12345678');
  });

  it('has no environment but what the system needs', async () => {
    const outcome = await run('return Object.keys(process.env)');
    const names = outcome.kind === 'done' ? (outcome.output as string[]) : ['nothing'];
    const known = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SystemRoot', 'TMPDIR', 'TEMP', 'VIPSHOME'];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('is not ended by the signals of a terminal', async () => {
    const code = `for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(process.pid, signal);
      await new Promise((resolve) => setImmediate(resolve)); return 1`;
    expect(await run(code)).toEqual(done(1));
  });

  it('decodes only raster formats of the web, without a cache', async () => {
    await writeFile(join(folder, 'x.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
    const sharp = JSON.stringify(import.meta.resolve('sharp'));
    const code = `const {default: sharp} = await import(${sharp});
      const svg = await sharp(folder + '/x.svg').metadata().catch((error) => error.message);
      const png = await sharp({create: {width: 1, height: 1, channels: 3, background: 'red'}}).png().toBuffer();
      return [svg, sharp.concurrency(), sharp.cache().memory.max, (await sharp(png).metadata()).format]`;
    const outcome = await run(code);
    expect(outcome).toEqual(done([expect.stringContaining('unsupported'), 1, 0, 'png']));
  });
});

describe('the fault of the file', () => {
  it.each([
    ['out_of_memory', 'const all = []; for (;;) all.push({ index: all.length })', 30_000],
    // In a worker thread, this ends the process or grows for ever.
    ['out_of_memory', 'const all = []; for (;;) all.push(new Array(1000).fill(all.length))', 30_000],
    ['out_of_memory', 'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))', 30_000],
    ['died', 'process.kill(process.pid, "SIGSEGV"); await new Promise(() => 0)', 30_000],
    ['out_of_time', 'for (;;);', 200],
    ['out_of_time', 'await new Promise(() => setInterval(() => 0, 1000))', 200],
    ['out_of_time', `const {TaskTookTooLong} = await import(${ERRORS}); throw new TaskTookTooLong()`, 30_000],
    ['died', 'setTimeout(() => { throw new Error("broken") }, 0); await new Promise(() => 0)', 30_000],
    ['died', 'process.exit(0)', 30_000],
    ['read_budget', 'await source.read(0, 9); for (;;) await source.read(0, 5)', 30_000],
    ['read_budget', 'for (;;) await source.read(0, 0)', 30_000],
    ['error', 'throw new TypeError("not a file")', 30_000],
    ['error', 'await source.read(9, 3)', 30_000],
  ])('is %s after %s', async (reason, code, limitMs) => {
    expect(await run(code, { limitMs })).toMatchObject({ kind: 'failed', reason });
    expect(await run('return 1')).toEqual(done(1));
  });

  it('is a busy loop during a read, which the process cannot report', async () => {
    answer = () => undefined;
    const outcome = await run('void source.read(0, 1).catch(() => 0); await 0; for (;;);', { limitMs: 500 });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'out_of_time' });
  });

  it('is not a promise that the parser leaves behind', async () => {
    expect(await run('void Promise.reject(new Error("not awaited")); return 1')).toEqual(done(1));
    expect(await run('return 2')).toEqual(done(2));
  });
});

describe('a large process', () => {
  it('is replaced after its task, and a small one is kept', async () => {
    const pid = 'return process.pid';
    const large = 'globalThis.kept = Buffer.alloc(400e6, 1); return process.pid';
    const outcomes = [await run(pid), await run(pid), await run(large), await run(pid)];
    const [first, second, third, fourth] = outcomes.map(
      (outcome) => outcome.kind === 'done' && outcome.output,
    );
    expect([first, second]).toEqual([second, third]);
    expect(fourth).not.toBe(third);
  });
});

describe('the fault of the store', () => {
  const failing: readonly [string, RequestListener][] = [
    ['it answers 503', (_, response) => void response.writeHead(503).end()],
    ['it ends the connection', (request) => request.socket.destroy()],
    ['it ends the body early', (_, response) => void response.writeHead(206).end('0')],
    ['it sends more than the range', (_, response) => void response.writeHead(206).end('0123456')],
    ['it ignores the range', (_, response) => void response.writeHead(200).end(BYTES)],
    ['it redirects', (_, response) => void response.writeHead(302, { location: '/other' }).end()],
  ];

  it.each(failing)('is reported when %s, also when the parser swallows it', async (_, listener) => {
    answer = listener;
    await expect(run('await source.read(0, 3)')).rejects.toBeInstanceOf(SourceIsUnavailable);
    await expect(run('await source.read(0, 3).catch(() => 0)')).rejects.toBeInstanceOf(SourceIsUnavailable);
  });

  it('is no reason to repeat when the object has changed', async () => {
    await expect(run('await source.read(0, 3)', { etag: '"two"' })).rejects.toBeInstanceOf(SourceIsGone);
  });
});

describe('the caller', () => {
  it('ends a task with a signal', async () => {
    const abort = new AbortController();
    const running = run('for (;;);', { signal: abort.signal });
    setImmediate(() => abort.abort(new Error('enough')));
    await expect(running).rejects.toThrow('enough');
    await expect(run('return 1', { signal: abort.signal })).rejects.toThrow('enough');
    expect(await run('return 1')).toEqual(done(1));
  });

  it('gets an error that can be repeated when the disk fails', async () => {
    const code = `const {writeFile} = await import('node:fs/promises'); await writeFile(folder + '/missing/out', 'x')`;
    await expect(run(code)).rejects.toThrow('ENOENT');
  });

  it('gets an error when more tasks wait than the queue holds, and at shutdown', async () => {
    const own = new MediaProcesses({ processes: 1 });
    const request = {
      input: 0,
      source: { url: 'http://127.0.0.1:1', etag: null, bytes: 0 },
      budget: { bytes: 0, reads: 0 },
      folder,
    };
    const all = Array.from({ length: 66 }, () => own.run(task('for (;;);'), request));
    await expect(all[65]).rejects.toThrow('Too many media tasks wait');
    await own.onApplicationShutdown();
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(Array(66).fill('rejected'));
  });
});
