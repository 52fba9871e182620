import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';
import { Documented } from '../support/documented.js';
import { GoogleApi } from '../support/google-api.js';
import { answerAsYoutube } from '../support/youtube-in-memory.js';

const UPLOAD = { title: 'How we roast', description: '', bytes: 10, contentType: 'video/mp4' };

describe('the responses of the gateway match its document', () => {
  let google: GoogleApi;
  let gateway: BootedGateway;
  let documented: Documented;
  let headers: Record<string, string>;

  beforeAll(async () => {
    google = await GoogleApi.start();
    gateway = await bootGateway(google.url);
    documented = await Documented.by(gateway.service.url);
    const token = answerAsYoutube(google).account({
      id: 'UC1',
      title: 'Acme',
      handle: null,
      thumbnailUrl: null,
    });
    headers = { ...(await gateway.headers()), 'x-provider-token': token };
  });
  afterAll(async () => {
    await gateway.close();
    await google.stop();
  });

  const send = async (
    operation: string,
    status: number,
    changes: Record<string, string> = {},
    body?: object,
    id = '',
  ) => {
    const [method, path = ''] = operation.split(' ') as ['get' | 'post' | 'put', string];
    const sent = request(gateway.service.url)
      [method](path.replace('{uploadId}', id))
      .set({ ...headers, ...changes });
    const response = await (body ? sent.send(body) : sent);
    documented.check(operation, response);
    expect([operation, response.status]).toEqual([operation, status]);
    return response;
  };

  it('for every operation, with successes and refusals', async () => {
    const expired = { 'x-provider-token': 'expired' };
    await send('get /api/video/youtube/channel', 200);
    await send('get /api/video/youtube/channel', 422, expired);
    await send('get /api/video/youtube/channel', 400, { 'x-provider-token': '' });
    await send('get /api/video/youtube/channel', 403, { 'x-service-token': 'x'.repeat(40) });
    const { body } = await send('post /api/video/youtube/uploads', 201, {}, UPLOAD);
    await send('post /api/video/youtube/uploads', 400, {}, {});
    await send('post /api/video/youtube/uploads', 422, expired, UPLOAD);
    const upload = '/api/video/youtube/uploads/{uploadId}';
    const octets = { 'content-type': 'application/octet-stream', 'content-range': 'bytes 0-9/10' };
    await send(`get ${upload}`, 200, {}, undefined, body.uploadId);
    await send(`get ${upload}`, 404, {}, undefined, randomUUID());
    await send(
      `put ${upload}`,
      400,
      { 'content-type': 'application/octet-stream' },
      Buffer.alloc(10),
      body.uploadId,
    );
    await send(`put ${upload}`, 422, { ...octets, ...expired }, Buffer.alloc(10), body.uploadId);
    await send(`put ${upload}`, 200, octets, Buffer.alloc(10), body.uploadId);
    await send(`get ${upload}`, 200, {}, undefined, body.uploadId);
    await send('get /api/video/quota', 200);
    await gateway.test.database.query('UPDATE gateway.video_quota SET exhausted = true');
    await send('get /api/video/youtube/channel', 429);
    await send('post /api/video/youtube/uploads', 429, {}, UPLOAD);
  });
});
