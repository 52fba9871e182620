import { randomBytes, randomUUID } from 'node:crypto';
import request from 'supertest';
import { AGENT_TOKEN, type BootedGateway, bootGateway, STAGED_TOKEN } from '../support/boot-gateway.js';
import { GoogleApi } from '../support/google-api.js';
import { waitUntil } from '../support/wait-until.js';

const UNIT = 262_144;
const NEW_VIDEO = {
  title: 'How we roast',
  description: 'Beans.',
  bytes: 2 * UNIT + 5,
  contentType: 'video/mp4',
};

describe('the video routes of the gateway', () => {
  let google: GoogleApi;
  let gateway: BootedGateway;
  let http: ReturnType<typeof request>;

  beforeAll(async () => {
    google = await GoogleApi.start();
    gateway = await bootGateway(google.url, {
      YOUTUBE_UPLOADS_PER_DAY: '1000',
      YOUTUBE_UNITS_PER_DAY: '1000',
    });
    http = request(gateway.service.url);
  });
  beforeEach(async () => {
    google.calls.length = 0;
    google.whenBegun = () => false;
    await gateway.test.database.query('UPDATE gateway.video_quota SET used = 0, exhausted = false');
  });
  afterAll(async () => {
    await gateway.close();
    await google.stop();
  });

  const session = (id = randomUUID()) =>
    `${google.url}/upload/youtube/v3/videos?uploadType=resumable&upload_id=${id}`;
  const begun = async (organizationId = randomUUID()) => {
    google.json(200, {}, { location: session() });
    const headers = await gateway.headers({ organizationId });
    const { body } = await http.post('/api/video/youtube/uploads').set(headers).send(NEW_VIDEO).expect(201);
    google.calls.length = 0;
    return {
      headers,
      uploadId: body.uploadId as string,
      path: `/api/video/youtube/uploads/${body.uploadId}`,
    };
  };
  const part = (
    path: string,
    headers: Record<string, string>,
    start: number,
    length: number,
    total = NEW_VIDEO.bytes,
  ) =>
    http
      .put(path)
      .set({ ...headers, 'content-type': 'application/octet-stream' })
      .set('content-range', `bytes ${start}-${start + length - 1}/${total}`)
      .send(Buffer.alloc(length, 7));
  const used = async () => {
    const { body } = await http.get('/api/video/quota').set(await gateway.headers());
    return Object.fromEntries(
      (body.buckets as { bucket: string; used: number }[]).map(({ bucket, used: units }) => [bucket, units]),
    );
  };

  it('begin one upload for an Idempotency-Key, and debit it once', async () => {
    google.json(200, {}, { location: session() });
    const headers = { ...(await gateway.headers()), 'idempotency-key': randomUUID() };
    const begin = () => http.post('/api/video/youtube/uploads').set(headers).send(NEW_VIDEO).expect(201);
    const [first, again] = [await begin(), await begin()];
    expect(again.body).toEqual(first.body);
    expect([google.calls.length, Object.values(await used()).reduce((sum, units) => sum + units, 0)]).toEqual(
      [1, 1],
    );
  });

  describe('answer recognized applications only', () => {
    const path = '/api/video/youtube/channel';

    it('by each of the tokens while one is replaced', async () => {
      google.json(200, { kind: 'youtube#channelListResponse', items: [] });
      for (const token of [undefined, STAGED_TOKEN, AGENT_TOKEN])
        await http
          .get(path)
          .set(await gateway.headers({ token }))
          .expect(200, { channel: null });
    });

    it.each<[string, Record<string, string | undefined>, number, string]>([
      ['no token', { 'x-service-token': undefined }, 403, 'service_not_authenticated'],
      ['another token', { 'x-service-token': 'x'.repeat(40) }, 403, 'service_not_authenticated'],
      ['no application', { 'x-application-id': undefined }, 403, 'application_not_authorized'],
      ['an unknown application', { 'x-application-id': randomUUID() }, 403, 'application_not_authorized'],
      ["another application's token", { 'x-service-token': AGENT_TOKEN }, 403, 'application_not_authorized'],
      ['no organization', { 'x-organization-id': undefined }, 400, 'organization_missing'],
      ['no organization id', { 'x-organization-id': 'acme' }, 400, 'organization_missing'],
      ['no token of the channel', { 'x-provider-token': undefined }, 400, 'provider_token_missing'],
      [
        'a bearer instead',
        { 'x-service-token': undefined, authorization: 'Bearer x' },
        403,
        'service_not_authenticated',
      ],
    ])('%s', async (_, changes, status, code) => {
      const headers = Object.fromEntries(
        Object.entries({ ...(await gateway.headers()), ...changes }).filter(
          ([, value]) => value !== undefined,
        ),
      ) as Record<string, string>;
      const { body } = await http.get(path).set(headers).expect(status);
      expect(body.code).toBe(code);
      expect(google.calls).toEqual([]);
    });

    it('none while identity cannot be asked', async () => {
      const other = await gateway.replica();
      gateway.identity.goDown();
      const { body } = await request(other.url)
        .get(path)
        .set(await headersDuringOutage())
        .expect(503);
      gateway.identity.comeBack();
      expect(body.code).toBe('identity_unavailable');
      expect(google.calls).toEqual([]);
    });

    const headersDuringOutage = async () => {
      gateway.identity.comeBack();
      const headers = await gateway.headers();
      gateway.identity.goDown();
      return headers;
    };
  });

  describe('read the channel', () => {
    const channel = async () => http.get('/api/video/youtube/channel').set(await gateway.headers());
    const item = {
      id: 'UC1',
      snippet: { title: 'Acme', customUrl: '@acme', thumbnails: { default: { url: 'http://t' } } },
    };

    it('GW-34: with the token of the caller, for one unit', async () => {
      google.json(200, { kind: 'youtube#channelListResponse', items: [item] });
      const { body } = await channel();
      expect(body).toEqual({
        channel: { id: 'UC1', title: 'Acme', handle: '@acme', thumbnailUrl: 'http://t' },
      });
      const [call] = google.calls;
      expect(call?.url).toBe('/youtube/v3/channels?part=snippet%2Cstatistics&mine=true');
      expect(call?.headers).toMatchObject({ authorization: 'Bearer channel-token' });
      expect(call?.headers).not.toHaveProperty('x-service-token');
      expect(await used()).toMatchObject({ units: 1 });
    });

    it('that an account does not have', async () => {
      google.json(200, { kind: 'youtube#channelListResponse' });
      expect((await channel()).body).toEqual({ channel: null });
    });

    it('and pass a refusal on with its reason; it costs as much', async () => {
      google.refuse(401, 'authError', { 'retry-after': '7' });
      const { status, body } = await channel();
      expect([status, body.code]).toEqual([422, 'video_provider_refused']);
      expect(body).toMatchObject({
        providerStatus: 401,
        providerReason: 'authError',
        providerRetryAfterSeconds: 7,
      });
      expect(await used()).toMatchObject({ units: 1 });
    });

    it.each<[string, () => void]>([
      ['an answer that is no JSON', () => (google.answer = (_, response) => void response.end('<html>'))],
      ['an error of the provider', () => google.refuse(503, 'backendError')],
      ['an answer of 3 MB', () => google.json(200, { items: [], filler: 'x'.repeat(3_000_000) })],
      ['a connection that ends', () => (google.answer = (incoming) => void incoming.socket.destroy())],
    ])('and report %s as in doubt', async (_, fault) => {
      fault();
      const { status, body } = await channel();
      expect([status, body.code]).toEqual([502, 'video_provider_unanswered']);
      expect(await used()).toMatchObject({ units: 1 });
    });

    it('and give the units back when nothing was sent', async () => {
      const nowhere = await GoogleApi.start();
      await nowhere.stop();
      const other = await bootGateway(nowhere.url);
      const { status, body } = await request(other.service.url)
        .get('/api/video/youtube/channel')
        .set(await other.headers());
      expect([status, body.code]).toEqual([503, 'video_provider_unreachable']);
      const quota = await request(other.service.url)
        .get('/api/video/quota')
        .set(await other.headers());
      expect(quota.body.buckets).toContainEqual({
        bucket: 'units',
        limit: 10_000,
        used: 0,
        remaining: 10_000,
      });
      await other.close();
    });
  });

  describe('begin an upload', () => {
    it('GW-34: private unless asked otherwise, and keep the address of the session', async () => {
      const address = session();
      google.json(200, {}, { location: address });
      const headers = await gateway.headers();
      const { body, headers: answered } = await http
        .post('/api/video/youtube/uploads')
        .set(headers)
        .send({ ...NEW_VIDEO, tags: ['coffee'] })
        .expect(201);
      expect(body).toEqual({ uploadId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
      expect(JSON.stringify([body, answered])).not.toContain('upload_id');
      const [call] = google.calls;
      expect(call?.url).toBe('/upload/youtube/v3/videos?uploadType=resumable&part=snippet%2Cstatus');
      expect(call?.headers).toMatchObject({
        'x-upload-content-length': String(NEW_VIDEO.bytes),
        'x-upload-content-type': 'video/mp4',
      });
      expect(JSON.parse(call?.body.toString() ?? '')).toEqual({
        snippet: { title: 'How we roast', description: 'Beans.', tags: ['coffee'], categoryId: '22' },
        status: { privacyStatus: 'private', selfDeclaredMadeForKids: false, containsSyntheticMedia: false },
      });
      const stored = await gateway.test.database.query(
        `SELECT u::text AS row FROM gateway.video_upload u UNION ALL SELECT e::text FROM gateway.video_quota_entry e`,
      );
      expect(JSON.stringify(stored)).not.toMatch(/upload_id|channel-token/);
      expect(await used()).toEqual({ uploads: 1, units: 0 });
    });

    it.each([
      'http://127.0.0.1:1/upload/youtube/v3/videos?upload_id=1',
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/passwd',
      '/upload/youtube/v3/videos?upload_id=1',
      '',
    ])('and do not use the address %s, which is not one of the configured host', async (location) => {
      google.json(200, {}, location === '' ? {} : { location });
      const headers = await gateway.headers();
      const { body } = await http.post('/api/video/youtube/uploads').set(headers).send(NEW_VIDEO).expect(502);
      expect(body.code).toBe('video_provider_unanswered');
    });

    it.each<[object, string]>([
      [{ title: '' }, '#/title'],
      [{ title: 'x'.repeat(101) }, '#/title'],
      [{ bytes: 0 }, '#/bytes'],
      [{ contentType: 'image/png' }, '#/contentType'],
      [{ privacy: 'friends' }, '#/privacy'],
      [{ categoryId: 'x' }, '#/categoryId'],
      [{ session: 'http://127.0.0.1:1' }, '#/session'],
    ])('not with %j', async (change, pointer) => {
      const headers = await gateway.headers();
      const sent = http
        .post('/api/video/youtube/uploads')
        .set(headers)
        .send({ ...NEW_VIDEO, ...change });
      const { body } = await sent.expect(400);
      expect(body.errors).toContainEqual(expect.objectContaining({ pointer }));
      expect(google.calls).toEqual([]);
    });
  });

  describe('send a part', () => {
    it('as it is, and tell what the provider has', async () => {
      const { path, headers } = await begun();
      google.answer = (_, response) => void response.writeHead(308, { range: `bytes=0-${UNIT - 1}` }).end();
      const { body } = await part(path, headers, 0, UNIT).expect(200);
      expect(body).toEqual({ state: 'incomplete', nextByte: UNIT, video: null });
      expect(google.calls[0]).toMatchObject({ method: 'PUT', body: Buffer.alloc(UNIT, 7) });
      expect(google.calls[0]?.headers).toMatchObject({
        authorization: 'Bearer channel-token',
        'content-range': `bytes 0-${UNIT - 1}/${NEW_VIDEO.bytes}`,
        'content-length': String(UNIT),
      });
      expect(await used()).toMatchObject({ uploads: 1 });
    });

    it('the last of which publishes the video', async () => {
      const { path, headers } = await begun();
      google.json(201, { id: 'vid1', status: { privacyStatus: 'private', uploadStatus: 'uploaded' } });
      const { body } = await part(path, headers, 2 * UNIT, 5).expect(200);
      expect(body).toEqual({ state: 'complete', nextByte: null, video: { id: 'vid1', privacy: 'private' } });
    });

    it.each<[string, number, number, number | undefined]>([
      ['of a length that is no multiple', 0, 1_000, undefined],
      ['of a file of another length', 0, UNIT, 9_999_999],
      ['beyond the file', 2 * UNIT, 6, undefined],
    ])('not one %s', async (_, start, length, total) => {
      const { path, headers } = await begun();
      const { body } = await part(path, headers, start, length, total).expect(400);
      expect(body.code).toBe('part_not_valid');
      expect(google.calls).toEqual([]);
    });

    it('not one without a range, or of another length than announced', async () => {
      const { path, headers } = await begun();
      const binary = { ...headers, 'content-type': 'application/octet-stream' };
      await http.put(path).set(binary).send(Buffer.alloc(5)).expect(400);
      const ranged = { ...binary, 'content-range': `bytes 0-${UNIT - 1}/${NEW_VIDEO.bytes}` };
      await http.put(path).set(ranged).send(Buffer.alloc(5)).expect(400);
      expect(google.calls).toEqual([]);
    });

    it('not of an upload of another organization or application', async () => {
      const { path, headers } = await begun();
      const others = [
        await gateway.headers(),
        await gateway.headers({ organizationId: headers['x-organization-id'], token: AGENT_TOKEN }),
      ];
      for (const other of others) {
        const { body } = await part(path, other, 0, UNIT).expect(404);
        expect(body.code).toBe('upload_not_found');
        await http.get(path).set(other).expect(404);
      }
      expect(google.calls).toEqual([]);
    });

    it.each([404, 410])('to a session that ended (%d)', async (status) => {
      const { path, headers } = await begun();
      google.json(status, {});
      const { body } = await part(path, headers, 0, UNIT).expect(409);
      expect(body.code).toBe('upload_session_gone');
    });

    it.each<[string, () => void]>([
      ['a lost answer', () => (google.answer = (incoming) => void incoming.socket.destroy())],
      ['an error', () => google.refuse(503, 'backendError')],
      ['an unreadable answer', () => google.json(200, { id: 7 })],
    ])('and report %s as in doubt', async (_, fault) => {
      const { path, headers } = await begun();
      fault();
      const { body } = await part(path, headers, 2 * UNIT, 5).expect(502);
      expect(body.code).toBe('video_provider_unanswered');
    });

    it('whose sender disappears: the call to the provider ends too', async () => {
      const { path, headers } = await begun();
      let hasBegun = false;
      let hasEnded = false;
      google.whenBegun = (incoming) => {
        incoming.once('data', () => (hasBegun = true));
        incoming.once('close', () => (hasEnded = true));
        return true;
      };
      const controller = new AbortController();
      const body = new ReadableStream({
        start: (stream) => stream.enqueue(randomBytes(1_000)),
      });
      const range = {
        'content-range': `bytes 0-${UNIT - 1}/${NEW_VIDEO.bytes}`,
        'content-length': String(UNIT),
      };
      const sent = fetch(gateway.service.url + path, {
        method: 'PUT',
        headers: { ...headers, ...range, 'content-type': 'application/octet-stream' },
        body,
        duplex: 'half',
        signal: controller.signal,
      });
      await waitUntil(() => hasBegun);
      controller.abort();
      await expect(sent).rejects.toThrow();
      await waitUntil(() => hasEnded);
    });
  });

  it('ask for the state without sending anything', async () => {
    const { path, headers } = await begun();
    google.answer = (_, response) => void response.writeHead(308).end();
    expect((await http.get(path).set(headers).expect(200)).body).toMatchObject({
      state: 'incomplete',
      nextByte: 0,
    });
    expect(google.calls[0]).toMatchObject({ method: 'PUT', body: Buffer.alloc(0) });
    expect(google.calls[0]?.headers).toMatchObject({
      'content-range': `bytes */${NEW_VIDEO.bytes}`,
      'content-length': '0',
    });
    google.json(200, { id: 'vid1' });
    expect((await http.get(path).set(headers).expect(200)).body).toMatchObject({
      state: 'complete',
      video: { id: 'vid1' },
    });
  });

  it('GW-04: debit an organization and application, and refuse without a call when no unit is left', async () => {
    const headers = await gateway.headers();
    google.json(200, {}, { location: session() });
    await http.post('/api/video/youtube/uploads').set(headers).send(NEW_VIDEO).expect(201);
    const ofAgent = await gateway.headers({ token: AGENT_TOKEN });
    const readChannel = () => http.get('/api/video/youtube/channel').set(ofAgent);
    google.json(200, { kind: 'youtube#channelListResponse', items: [] });
    await readChannel().expect(200);
    google.calls.length = 0;
    await gateway.test.database.query('UPDATE gateway.video_quota SET used = 1000');
    const refusals = [
      await http.post('/api/video/youtube/uploads').set(headers).send(NEW_VIDEO),
      await readChannel(),
    ];
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual([
      [429, 'video_quota_exhausted'],
      [429, 'video_quota_exhausted'],
    ]);
    expect(google.calls).toEqual([]);
    const { body } = await http.get('/api/video/quota').set(headers).expect(200);
    expect(body.usage).toEqual([{ call: 'videos.insert', bucket: 'uploads', calls: 1, units: 1 }]);
    const ofOther = await gateway.headers({
      token: AGENT_TOKEN,
      organizationId: headers['x-organization-id'],
    });
    expect((await http.get('/api/video/quota').set(ofOther).expect(200)).body.usage).toEqual([]);
  });

  it('leave the bucket as it is when a channel has reached its own limit', async () => {
    google.refuse(400, 'uploadLimitExceeded');
    const headers = await gateway.headers();
    const { status, body } = await http.post('/api/video/youtube/uploads').set(headers).send(NEW_VIDEO);
    expect([status, body.providerReason]).toEqual([422, 'uploadLimitExceeded']);
    const { body: quota } = await http.get('/api/video/quota').set(headers).expect(200);
    expect(quota.buckets).toContainEqual({ bucket: 'uploads', limit: 1000, used: 1, remaining: 999 });
    google.json(200, {}, { location: session() });
    await http
      .post('/api/video/youtube/uploads')
      .set(await gateway.headers())
      .send(NEW_VIDEO)
      .expect(201);
  });

  it('take a quota of a day for one, also when its reason is that of a short limit', async () => {
    const message =
      "Quota exceeded for quota metric 'Video Uploads' and limit 'Video Uploads per day' of service.";
    google.json(429, { error: { code: 429, message, errors: [{ message, reason: 'rateLimitExceeded' }] } });
    const { status, body } = await http
      .post('/api/video/youtube/uploads')
      .set(await gateway.headers())
      .send(NEW_VIDEO);
    expect([status, body.code, body.bucket]).toEqual([429, 'video_quota_exhausted', 'uploads']);
    await gateway.test.database.query('UPDATE gateway.video_quota SET day = day - 1');
  });

  it('believe the provider that the quota is used up, until it is reset', async () => {
    google.refuse(403, 'quotaExceeded');
    const headers = await gateway.headers();
    const begin = () => http.post('/api/video/youtube/uploads').set(headers).send(NEW_VIDEO);
    const { status, body, headers: answered } = await begin();
    expect([status, body.code, body.bucket]).toEqual([429, 'video_quota_exhausted', 'uploads']);
    expect(Number(answered['retry-after'])).toBeGreaterThan(0);
    expect(Number(answered['retry-after'])).toBeLessThanOrEqual(25 * 3600);
    expect(
      Math.abs(Date.parse(body.resetsAt) - Date.now() - 1000 * Number(answered['retry-after'])),
    ).toBeLessThan(60_000);
    await begin().expect(429);
    expect(google.calls).toHaveLength(1);
    google.json(200, { kind: 'youtube#channelListResponse', items: [] });
    await http.get('/api/video/youtube/channel').set(headers).expect(200);
    const { body: quota } = await http.get('/api/video/quota').set(headers).expect(200);
    expect(quota.buckets).toContainEqual(expect.objectContaining({ bucket: 'uploads', remaining: 0 }));
    await gateway.test.database.query('UPDATE gateway.video_quota SET day = day - 1');
    google.json(200, {}, { location: session() });
    await begin().expect(201);
  });
});
