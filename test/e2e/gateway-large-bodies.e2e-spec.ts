import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { RunningService } from '#libs/http';
import { setting } from '#libs/config/testing';
import { AiCallsConfig } from '../../src/platform/gateway/ai/ai-calls.config.js';
import { type AiWorld, completes, delta, openAiWorld, terminal, transcribes } from '../support/ai-world.js';
import { waitUntil } from '../support/wait-until.js';

const MiB = 1_048_576;
const PATH = '/api/ai/completions';
const LARGEST = 4 * MiB;
/** Of a body that is refused; none of the largest images fits beside it. */
const BAD = 3.5 * MiB;
/** Of an image; two requests with one do not fit together. */
const MOST = 2.5 * MiB;

/** A completion whose image has so many bytes. */
function withImage(bytes: number, more: object = {}): { body: Buffer; data: string } {
  const data = Buffer.alloc(bytes, 7).toString('base64');
  const content = [{ type: 'image', mediaType: 'image/png', data }];
  return { body: Buffer.from(JSON.stringify({ ...more, messages: [{ role: 'user', content }] })), data };
}

describe('large completions', () => {
  let world: AiWorld;
  /** Holds 6 MiB of large requests. */
  let small: RunningService;
  let organizations: { id: string; headers: Record<string, string> }[];

  beforeAll(async () => {
    world = await openAiWorld();
    const limits = setting(AiCallsConfig, { maxBytes: 6 * MiB, maxBodyBytes: LARGEST });
    small = await world.gateway.replica({}, [limits]);
    await world.model('openai/first');
    await world.credential({ provider: 'openai' });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    organizations = [];
    for (const id of [randomUUID(), randomUUID(), randomUUID()]) {
      for (const capability of ['completions', 'transcriptions'])
        await world.prefer(id, { capability, default: 'openai/first' });
      organizations.push({ id, headers: await world.gateway.headers({ organizationId: id }) });
    }
    world.openai.respond(completes('A picture.'));
  });

  const headersOf = (organization: number) => organizations[organization]?.headers ?? {};
  const send = async (body: Buffer, { url = small.url, of = 0, path = PATH, more = {} } = {}) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headersOf(of), 'content-type': 'application/json', ...more },
      body,
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Sent };
  };
  interface Sent {
    readonly code?: string;
    readonly text?: string;
    readonly errors?: readonly { readonly code: string }[];
  }
  /** The head of a request alone; the response does not wait for the body. */
  const headOf = (length: number, headers: Record<string, string>) => {
    const sent: ClientRequest = request(small.url + PATH, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': String(length) },
    });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    const response = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
    return { sent, response };
  };
  const refusalOf = async (length: number, headers: Record<string, string>) => {
    const { sent, response } = headOf(length, headers);
    const { statusCode } = await response;
    const { code } = (await json(await response)) as Sent;
    sent.destroy();
    return [statusCode, code];
  };
  /** Responses of the provider that wait for the test. */
  const held = () => {
    const waiting: ServerResponse[] = [];
    world.openai.respond((response) => void waiting.push(response));
    return waiting;
  };
  const answer = (waiting: ServerResponse[]) => {
    for (const response of waiting) completes('A picture.')(response, world.openai.calls[0] as never);
  };

  it('pass an image of 15 MB on whole', async () => {
    const { body, data } = withImage(15_000_000);
    const sent = await send(body, { url: world.gateway.service.url });
    expect([sent.status, sent.body.text]).toEqual([200, 'A picture.']);
    const [call] = world.openai.calls;
    const passedOn = JSON.parse(call?.body.toString() ?? '') as {
      messages: { content: { image_url: { url: string } }[] }[];
    };
    const hash = (text = '') => createHash('sha256').update(text).digest('hex');
    expect(hash(passedOn.messages[0]?.content[0]?.image_url.url)).toBe(hash(`data:image/png;base64,${data}`));
  });

  it('refuse an image above 15 MB', async () => {
    const sent = await send(withImage(15_000_003).body, { url: world.gateway.service.url });
    expect([sent.status, sent.body.errors?.[0]?.code, world.openai.calls]).toEqual([400, 'too_large', []]);
  });

  it('are refused without their body being read: too large, of an unknown caller', async () => {
    const { 'x-service-token': token, ...unknown } = headersOf(0);
    expect(token).toBeDefined();
    expect([await refusalOf(LARGEST + 1, headersOf(0)), await refusalOf(2 * MiB, unknown)]).toEqual([
      [413, 'too_large'],
      [401, expect.any(String)],
    ]);
  });

  it('are completions only', async () => {
    const sent = await send(withImage(MiB).body, { path: '/api/ai/images' });
    expect([sent.status, sent.body.code]).toEqual([413, 'too_large']);
  });

  it('need a Content-Length and no content coding', async () => {
    const { body } = withImage(MiB);
    const stream = new Blob([body]).stream();
    const response = await fetch(small.url + PATH, {
      method: 'POST',
      headers: { ...headersOf(0), 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
    await response.text();
    const coded = await send(gzipSync(JSON.stringify(randomBytes(2 * MiB).toString('base64'))), {
      more: { 'content-encoding': 'gzip' },
    });
    expect([coded.status, coded.body.code]).toEqual([413, 'too_large']);
  });

  it.each<[string, Buffer, string]>([
    ['lists in lists', Buffer.alloc(BAD, '['), 'too_many'],
    ['many values', Buffer.from(`[${'1,'.repeat(BAD / 2)}1]`), 'too_many'],
    ['no JSON', Buffer.alloc(BAD, 'x'), 'malformed_json'],
    [
      'no UTF-8',
      Buffer.concat([Buffer.from('"'), Buffer.alloc(BAD, 0xff), Buffer.from('"')]),
      'malformed_json',
    ],
    [
      'an integer of too many digits',
      Buffer.from(`{"a":"${'x'.repeat(BAD)}","b":12345678901234567}`),
      'number_not_exact',
    ],
    ['text that cannot be stored', Buffer.from(`{"a":"${'x'.repeat(BAD)}\\u0000"}`), 'text_not_storable'],
  ])('are refused with %s', async (_, body, code) => {
    const sent = await send(body);
    expect([sent.status, sent.body.errors?.[0]?.code ?? sent.body.code]).toEqual([400, code]);
    expect(world.openai.calls).toEqual([]);
    // Its bytes are free again.
    expect((await send(withImage(MOST).body, { of: 1 })).status).toBe(200);
  });

  it('share the bytes of a process, with recordings too: no organization keeps the others out', async () => {
    const waiting = held();
    const { body } = withImage(MiB);
    const running = [send(body), send(body)];
    await waitUntil(() => waiting.length === 2);
    const second = send(body, { of: 1 });
    await waitUntil(() => waiting.length === 3);
    const refused = await send(body);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      ...[429, 'too_many_bytes', '1'],
    ]);
    const form = new FormData();
    const wav = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(MOST)]);
    form.append('file', new Blob([wav]), 'tone.wav');
    const recording = await fetch(`${small.url}/api/ai/transcriptions`, {
      method: 'POST',
      headers: headersOf(2),
      body: form,
    });
    expect([recording.status, ((await recording.json()) as Sent).code]).toEqual([429, 'too_many_bytes']);

    answer(waiting);
    for (const each of [...running, second]) expect((await each).status).toBe(200);
    world.openai.respond(transcribes('Good morning.'));
    const again = await fetch(`${small.url}/api/ai/transcriptions`, {
      method: 'POST',
      headers: headersOf(2),
      body: form,
    });
    expect(again.status).toBe(200);
    await again.text();
  });

  it('count with those of usual size, whole and streamed, by the bytes after decompression; small ones pass', async () => {
    const waiting = held();
    const conversation = (length: number, more: object = {}) =>
      Buffer.from(JSON.stringify({ ...more, messages: [{ role: 'user', content: 'x'.repeat(length) }] }));
    const usual = conversation(0.9 * MiB);
    const zipped = { body: gzipSync(usual), more: { 'content-encoding': 'gzip' } };
    const running = [
      ...Array.from({ length: 5 }, () => send(usual)),
      send(zipped.body, { more: zipped.more }),
    ];
    await waitUntil(() => waiting.length === running.length);
    const refused = [
      await send(usual),
      await send(conversation(0.9 * MiB, { stream: true })),
      await send(zipped.body, { more: zipped.more }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [429, 'too_many_bytes']),
    );
    const little = send(conversation(1_000));
    await waitUntil(() => waiting.length === running.length + 1);
    answer(waiting);
    for (const each of [...running, little]) expect((await each).status).toBe(200);
    world.openai.respond(completes('A picture.'));
    expect((await send(usual)).status).toBe(200);
  });

  it('give their bytes back when the caller leaves in the middle of the body', async () => {
    const { body } = withImage(MOST);
    const begin = () => {
      const begun = { ...headOf(body.length, headersOf(0)), isRefused: false };
      begun.sent.write(body.subarray(0, MiB));
      void begun.response.then(() => (begun.isRefused = true));
      return begun;
    };
    let leaving = begin();
    await waitUntil(async () => {
      // The other organization had the bytes when this request arrived.
      if (leaving.isRefused) leaving = begin();
      // As long as this one takes, the larger one has time to arrive.
      await send(Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] })), { of: 2 });
      return (await send(body, { of: 1 })).status === 429 && !leaving.isRefused;
    });
    leaving.sent.destroy();
    await waitUntil(async () => (await send(body, { of: 1 })).status === 200);
  });

  it('of streams keep their bytes until the stream has ended, also when its caller leaves', async () => {
    const waiting = held();
    const { body } = withImage(MOST, { stream: true });
    const caller = new AbortController();
    const stream = await Promise.all([
      fetch(small.url + PATH, {
        method: 'POST',
        headers: { ...headersOf(0), 'content-type': 'application/json' },
        body,
        signal: caller.signal,
      }),
      waitUntil(() => waiting.length === 1).then(() =>
        waiting[0]?.writeHead(200, { 'content-type': 'text/event-stream' }).write(delta('Hello')),
      ),
    ]);
    expect(stream[0].status).toBe(200);
    const other = withImage(MOST).body;
    expect((await send(other, { of: 1 })).body.code).toBe('too_many_bytes');
    caller.abort();
    world.openai.respond(completes('A picture.'));
    await waitUntil(async () => (await send(other, { of: 1 })).status === 200);
    waiting[0]?.end(terminal);
  });
});
