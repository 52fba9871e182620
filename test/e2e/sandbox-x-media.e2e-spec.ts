import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FixedClock } from '#libs/clock/testing';
import { aPicture, anAnimation } from '../support/pictures.js';
import { type SandboxAccount, SandboxForTests } from '../support/sandbox.js';
import { type FileToUpload, SandboxUploads } from '../support/sandbox-uploads.js';
import { makeVideo } from '../support/video-files.js';

describe('media uploads to X in the sandbox', () => {
  const clock = new FixedClock(new Date('2026-11-21T10:00:00.000Z'));
  let sandbox: SandboxForTests;
  let uploads: SandboxUploads;
  let acme: SandboxAccount;
  let other: SandboxAccount;
  let picture: FileToUpload;
  let animation: FileToUpload;

  beforeAll(async () => {
    sandbox = await SandboxForTests.start({}, clock);
    uploads = new SandboxUploads(sandbox);
    picture = { bytes: await aPicture(60, 40), type: 'image/png' };
    animation = { bytes: await anAnimation(20, 10, 3), type: 'image/gif' };
  });
  beforeEach(async () => {
    await sandbox.control('POST', '/reset');
    acme = await sandbox.account('acme');
    other = await sandbox.account('other');
  });
  afterAll(() => sandbox.stop());

  const uploaded = async (file = picture, account = acme): Promise<string> =>
    (await uploads.chunked(account, file)).body.data.id as string;
  const postWith = (ids: readonly string[], text?: string, account = acme) =>
    sandbox.post(account, { ...(text !== undefined && { text }), media: { media_ids: ids } });

  it('take segments, and record what was decoded', async () => {
    const segment = Math.ceil(picture.bytes.length / 3);
    const { status, body } = await uploads.chunked(acme, picture, segment);
    expect([status, body]).toEqual([
      200,
      {
        data: {
          id: expect.stringMatching(/^\d{19}$/),
          media_key: `3_${body.data.id}`,
          expires_after_secs: 86_400,
          size: picture.bytes.length,
        },
      },
    ]);
    const effects = await sandbox.ledger();
    expect(effects.map(({ kind }) => kind)).toEqual([
      'media.initialized',
      ...['media.appended', 'media.appended', 'media.appended'],
      'media.finalized',
    ]);
    expect(effects.at(-1).media).toEqual([
      {
        category: 'tweet_image',
        bytes: picture.bytes.length,
        sha256: createHash('sha256').update(picture.bytes).digest('hex'),
        contentType: 'image/png',
        ...{ width: 60, height: 40, frames: null, durationMs: null },
      },
    ]);
  });

  it('are joined in the order of their indexes, also when a segment came late or twice', async () => {
    const id = await uploads.begun(acme, picture);
    const half = Math.floor(picture.bytes.length / 2);
    await uploads.append(acme, id, 1, picture.bytes.subarray(half));
    await uploads.append(acme, id, 0, new Uint8Array(half));
    await uploads.append(acme, id, 0, picture.bytes.subarray(0, half));
    const [first, again] = [await uploads.finalize(acme, id), await uploads.finalize(acme, id)];
    expect([first.status, again.body]).toEqual([200, first.body]);
    expect(await sandbox.ledger('?kind=media.finalized')).toHaveLength(1);
  });

  it('take an image in one call', async () => {
    const { status, body } = await uploads.whole(acme, picture);
    expect([status, body.data.media_key]).toEqual([200, `3_${body.data.id}`]);
    expect((await postWith([body.data.id as string])).status).toBe(201);
    expect((await uploads.whole(acme, picture, 'tweet_video')).status).toBe(400);
    expect((await uploads.whole(acme, { ...picture, type: 'image/gif' }, 'tweet_image')).status).toBe(400);
  });

  it.each([
    ['no category', { media_type: 'image/png', total_bytes: 10 }, /media_category: is missing/],
    [
      'a category of another type',
      { media_type: 'video/mp4', total_bytes: 10, media_category: 'tweet_image' },
      /does not fit/,
    ],
    [
      'a type that X does not take',
      { media_type: 'image/svg+xml', total_bytes: 10, media_category: 'tweet_image' },
      /enumeration/,
    ],
    [
      'no bytes',
      { media_type: 'image/png', total_bytes: 0, media_category: 'tweet_image' },
      /minimum value of 1/,
    ],
    [
      'more bytes than an image has',
      { media_type: 'image/png', total_bytes: 5_242_881, media_category: 'tweet_image' },
      /maximum value of 5242880/,
    ],
    [
      'a member that the schema does not have',
      { media_type: 'image/png', total_bytes: 1, media_category: 'tweet_image', secret: 1 },
      /not defined in the schema/,
    ],
  ])('refuse to begin with %s', async (_what, body, message) => {
    const { status, body: problem } = await uploads.initialize(acme, body);
    expect([status, problem.errors[0].message]).toEqual([400, expect.stringMatching(message)]);
    expect(await sandbox.ledger()).toEqual([]);
  });

  it('refuse segments of a foreign, unknown or finished upload, and impossible indexes', async () => {
    const id = await uploads.begun(acme, picture);
    expect((await uploads.append(other, id, 0, picture.bytes)).status).toBe(403);
    expect((await uploads.append(acme, '77', 0, picture.bytes)).status).toBe(404);
    for (const index of [-1, 1_000, 'x'])
      expect((await uploads.append(acme, id, index, picture.bytes)).status).toBe(400);
    expect((await uploads.append(acme, id, 0, new Uint8Array(5_242_881))).status).toBe(400);
    expect((await uploads.append(acme, id, 0, new Uint8Array(0))).status).toBe(400);
    await uploads.append(acme, id, 0, picture.bytes);
    await uploads.finalize(acme, id);
    expect((await uploads.append(acme, id, 1, picture.bytes)).status).toBe(400);
  });

  it('refuse to finish with a gap, or with another length than announced', async () => {
    const gap = await uploads.begun(acme, picture);
    await uploads.append(acme, gap, 1, picture.bytes);
    expect((await uploads.finalize(acme, gap)).status).toBe(400);
    const short = await uploads.begun(acme, picture);
    await uploads.append(acme, short, 0, picture.bytes.subarray(1));
    const { status, body } = await uploads.finalize(acme, short);
    expect([status, body.errors[0].message]).toEqual([400, expect.stringMatching(/do not add up/)]);
    await uploads.append(acme, short, 0, picture.bytes);
    expect((await uploads.finalize(acme, short)).status).toBe(200);
  });

  it('refuse an image that cannot be decoded to its end, or that is another format', async () => {
    const cut = picture.bytes.subarray(0, picture.bytes.length - 600);
    expect((await uploads.chunked(acme, { ...picture, bytes: cut })).status).toBe(400);
    expect((await uploads.chunked(acme, { bytes: animation.bytes, type: 'image/png' })).status).toBe(400);
    const html = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    expect((await uploads.chunked(acme, { bytes: html, type: 'image/png' })).status).toBe(400);
  });

  it('process a GIF: pending, in progress, succeeded; only then can a post show it', async () => {
    await sandbox.control('PUT', '/x/settings', { mediaProcessingSeconds: 9 });
    const { body } = await uploads.chunked(acme, animation);
    const id = body.data.id as string;
    expect(body.data).toMatchObject({
      media_key: `16_${id}`,
      processing_info: { state: 'pending', check_after_secs: 5 },
    });
    clock.advance(5_000);
    const running = (await uploads.status(acme, id)).body.data.processing_info;
    expect(running).toEqual({ state: 'in_progress', check_after_secs: 4, progress_percent: 55 });
    expect((await postWith([id])).status).toBe(400);
    clock.advance(4_000);
    expect((await uploads.status(acme, id)).body.data.processing_info.state).toBe('succeeded');
    expect((await postWith([id])).status).toBe(201);
  });

  it('fail the processing of a GIF that breaks the limits, and of every file when a test says so', async () => {
    const wide = { bytes: await anAnimation(1_281, 2, 2), type: 'image/gif' } as const;
    await sandbox.control('PUT', '/x/settings', { mediaProcessingSeconds: 0 });
    expect((await uploads.chunked(acme, wide)).body.data.processing_info).toEqual({
      state: 'failed',
      error: { code: 1, name: 'InvalidMedia', message: 'InvalidMedia' },
    });
    await sandbox.control('PUT', '/x/settings', { mediaProcessingError: 'UnsupportedMedia' });
    const { id, processing_info } = (await uploads.chunked(acme, animation)).body.data;
    expect(processing_info.error.name).toBe('UnsupportedMedia');
    expect((await postWith([id as string])).status).toBe(400);
  });

  it('process a video whose last packet is there, and fail one that is cut or no video', async () => {
    await sandbox.control('PUT', '/x/settings', { mediaProcessingSeconds: 0 });
    const bytes = await makeVideo();
    const whole = (await uploads.chunked(acme, { bytes, type: 'video/mp4' })).body.data;
    expect([whole.media_key, whole.processing_info.state]).toEqual([`7_${whole.id}`, 'succeeded']);
    const [{ media }] = await sandbox.ledger('?kind=media.finalized');
    expect(media).toEqual([expect.objectContaining({ width: 1_920, height: 1_080, durationMs: 2_000 })]);
    for (const broken of [bytes.subarray(0, bytes.length * 0.7), bytes.subarray(0, 400), picture.bytes]) {
      const { processing_info } = (await uploads.chunked(acme, { bytes: broken, type: 'video/mp4' })).body
        .data;
      expect(processing_info).toMatchObject({ state: 'failed', error: { name: 'InvalidMedia' } });
    }
    await sandbox.control('PUT', '/x/settings', { maxVideoMinutes: 0 });
    const tooLong = await postWith([whole.id as string]);
    expect([tooLong.status, tooLong.body.detail]).toEqual([
      403,
      'This user is not allowed to post a video longer than 0 minutes',
    ]);
    await sandbox.control('PUT', '/x/settings', { maxVideoMinutes: 20 });
    expect((await postWith([whole.id as string], 'A film')).status).toBe(201);
    const page = (await sandbox.call('GET', '/x-web/acme')).body as string;
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`<video src="/x-web/i/media/${whole.id}"`);
    expect(page).not.toContain('http-equiv="refresh"');
  });

  it('outlive a restart with their segments, ids and bytes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-media-'));
    const environment = { SANDBOX_DATA: folder };
    const own = await SandboxForTests.start(environment);
    const account = await own.account('acme');
    const half = Math.floor(picture.bytes.length / 2);
    const id = await new SandboxUploads(own).begun(account, picture);
    await new SandboxUploads(own).append(account, id, 0, picture.bytes.subarray(0, half));
    await own.stop();
    const second = await SandboxForTests.start(environment);
    await new SandboxUploads(second).append(account, id, 1, picture.bytes.subarray(half));
    expect((await new SandboxUploads(second).finalize(account, id)).status).toBe(200);
    expect((await second.post(account, { media: { media_ids: [id] } })).status).toBe(201);
    await second.stop();
    const third = await SandboxForTests.start(environment);
    const shown = await fetch(`${third.url}/x-web/i/media/${id}`);
    expect(Buffer.from(await shown.arrayBuffer()).equals(picture.bytes)).toBe(true);
    await third.control('POST', '/reset');
    expect(await readdir(join(folder, 'files'))).toEqual([]);
    await third.stop();
    await rm(folder, { recursive: true });
  });

  it('show pictures in their order with their descriptions, at the end of the text', async () => {
    const ids = [await uploaded(), await uploaded()];
    expect((await uploads.describe(acme, ids[1] ?? '', 'A <b>roof</b>')).status).toBe(200);
    const { status, body } = await postWith(ids.toReversed(), 'Two roofs & more');
    expect(status).toBe(201);
    expect(body.data.text).toMatch(/^Two roofs &amp; more https:\/\/t\.co\/\w{10}$/);
    const fields = 'attachments,entities';
    const read = await sandbox.get(acme, `/x/2/tweets/${body.data.id}?tweet.fields=${fields}`);
    expect(read.body.data.attachments).toEqual({ media_keys: [`3_${ids[1]}`, `3_${ids[0]}`] });
    expect(read.body.data.entities.urls).toEqual([
      expect.objectContaining({ start: 17, end: 40, media_key: `3_${ids[1]}` }),
      expect.objectContaining({ url: (body.data.text as string).slice(-23), media_key: `3_${ids[0]}` }),
    ]);
    const [post] = await sandbox.ledger('?kind=post.created');
    expect(post.media).toEqual([
      expect.objectContaining({ altText: 'A <b>roof</b>', width: 60, sha256: expect.any(String) }),
      expect.not.objectContaining({ altText: expect.anything() }),
    ]);
    const page = (await sandbox.call('GET', '/x-web/acme')).body as string;
    expect(page).toContain(`src="/x-web/i/media/${ids[1]}" alt="A &lt;b&gt;roof&lt;/b&gt;"`);
  });

  it('describe images only, with at most 1000 characters', async () => {
    const [id, moving] = [await uploaded(), await uploaded(animation)];
    expect((await uploads.describe(acme, id, 'ä'.repeat(1_000))).status).toBe(200);
    expect((await uploads.describe(acme, id, 'ä'.repeat(1_001))).status).toBe(400);
    expect((await uploads.describe(acme, moving, 'Moving')).status).toBe(400);
    expect((await uploads.describe(other, id, 'Foreign')).status).toBe(403);
  });

  it('are attached by their account, once, before they expire, and not mixed', async () => {
    await sandbox.control('PUT', '/x/settings', { mediaProcessingSeconds: 0, mediaExpirySeconds: 60 });
    const [first, second, moving] = [await uploaded(), await uploaded(), await uploaded(animation)];
    for (const [ids, account] of [
      [[first], other],
      [[first, first], acme],
      [[first, '77'], acme],
      [[first, moving], acme],
    ] as const)
      expect((await postWith(ids, 'Refused', account)).status).toBe(400);
    expect((await postWith([first], '')).status).toBe(400);
    expect((await postWith([first])).status).toBe(201);
    expect((await postWith([first])).status).toBe(400);
    clock.advance(60_000);
    expect((await postWith([second])).status).toBe(400);
    expect((await uploads.status(acme, second)).status).toBe(404);
    const five = await Promise.all(Array.from({ length: 5 }, () => uploaded()));
    expect((await postWith(five)).body.errors[0].message).toMatch(/maximum of 4 items/);
    expect((await postWith(five.slice(1))).status).toBe(201);
    expect(await sandbox.ledger('?kind=post.created')).toHaveLength(2);
  });

  it('need the scope media.write', async () => {
    const writer = await sandbox.account('writer', { scopes: ['tweet.read', 'users.read', 'tweet.write'] });
    expect((await uploads.whole(writer, picture)).status).toBe(403);
  });

  it('serve the bytes of posts to browsers, in ranges, and nothing that no post shows', async () => {
    const id = await uploaded();
    const address = `${sandbox.url}/x-web/i/media/${id}`;
    expect((await fetch(address)).status).toBe(404);
    await postWith([id]);
    const whole = await fetch(address);
    expect(Buffer.from(await whole.arrayBuffer()).equals(picture.bytes)).toBe(true);
    expect(whole.headers.get('content-type')).toBe('image/png');
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    const last = picture.bytes.length - 1;
    for (const [range, begin, end] of [
      ['bytes=0-9', 0, 9],
      [`bytes=${last}-`, last, last],
      ['bytes=-5', last - 4, last],
      [`bytes=2-${last + 100}`, 2, last],
    ] as const) {
      const part = await fetch(address, { headers: { range } });
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${begin}-${end}/${last + 1}`,
      ]);
      expect(Buffer.from(await part.arrayBuffer()).equals(picture.bytes.subarray(begin, end + 1))).toBe(true);
    }
    expect((await fetch(address, { headers: { range: `bytes=${last + 1}-` } })).status).toBe(416);
  });

  it('can be disturbed call by call', async () => {
    const route = 'POST /2/media/upload/:id/append';
    const id = await uploads.begun(acme, picture);
    await sandbox.fault({ kind: 'drop-after-effect', route, times: 1 });
    await sandbox.fault({ kind: 'rate-limited', route: 'POST /2/media/upload/:id/finalize', times: 1 });
    await expect(uploads.append(acme, id, 0, picture.bytes)).rejects.toThrow();
    expect((await uploads.finalize(acme, id)).status).toBe(429);
    expect((await uploads.finalize(acme, id)).status).toBe(200);
    const [, appended] = await sandbox.ledger();
    expect(appended).toMatchObject({ kind: 'media.appended', answered: 'drop-after-effect' });
  });
});
