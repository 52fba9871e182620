import { randomBytes, randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import type { Call, Method } from '../support/call.js';
import { Documented } from '../support/documented.js';
import { aMediaFile } from '../support/media-files.js';
import { MediaWorld, put, sha256 } from '../support/media-world.js';

const OPERATIONS: Record<string, number[]> = {
  'get /api/media': [200, 401, 403, 404, 503],
  'post /api/media/upload': [200, 400, 401, 403, 404, 413, 415, 503],
  'get /api/media/{mediaId}': [200, 304, 401, 403, 404, 503],
  'patch /api/media/{mediaId}': [200, 400, 401, 403, 404, 409, 412, 503],
  'delete /api/media/{mediaId}': [204, 401, 403, 404, 409, 412, 503],
  'post /api/media/{mediaId}/parts': [200, 400, 401, 403, 404, 409, 503],
  'post /api/media/{mediaId}/complete': [200, 400, 401, 403, 404, 409, 503],
  'post /api/media/{mediaId}/abort': [204, 400, 401, 403, 404, 409, 503],
};

describe('the responses of the media library match the document', () => {
  let api: BusinessApi;
  let world: MediaWorld;
  let documented: Documented;
  const seen = new Map<string, Set<number>>();

  beforeAll(async () => {
    api = await BusinessApi.start();
    world = await MediaWorld.of(api);
    documented = await Documented.by(api.service.url);
  });
  afterAll(() => api.stop());

  const image = randomBytes(50);
  const declared = (fields: object = {}) => ({
    brandId: world.brandId,
    fileName: 'a.png',
    contentType: 'image/png',
    bytes: image.length,
    sha256: sha256(image),
    ...fields,
  });
  const bodyOf = (operation: string) => {
    if (operation === 'post /api/media/upload') return declared();
    if (operation.endsWith('/parts')) return { parts: [] };
    return operation.startsWith('patch') ? { altText: 'A hill' } : undefined;
  };
  const send = async (
    operation: string,
    id = '',
    body: object | undefined = bodyOf(operation),
    { headers = {}, call = world.call }: { headers?: Record<string, string>; call?: Call } = {},
  ) => {
    const [method, template = ''] = operation.split(' ');
    const answer = await call(
      method?.toUpperCase() as Method,
      template.replace('{mediaId}', id),
      body,
      headers,
    );
    documented.check(operation, answer);
    seen.set(operation, (seen.get(operation) ?? new Set()).add(answer.status));
    return answer;
  };

  it('for uploads by one request and in parts', async () => {
    const { media, upload } = (await send('post /api/media/upload')).body;
    await send('post /api/media/{mediaId}/complete', media.id);
    await put(upload, image);
    await send('post /api/media/{mediaId}/complete', media.id);
    for (const operation of ['complete', 'abort', 'parts']) {
      await send(`post /api/media/{mediaId}/${operation}`, media.id);
      // The boundary refuses NUL in each body, also where none is read.
      await send(`post /api/media/{mediaId}/${operation}`, media.id, { text: '\u0000' });
    }
    const video = { contentType: 'video/mp4', bytes: 65 * 1_048_576, sha256: undefined };
    const { media: clip } = (await send('post /api/media/upload', '', declared(video))).body;
    const part = { parts: [{ partNumber: 1, sha256: sha256(image) }] };
    await send('post /api/media/{mediaId}/parts', clip.id, part);
    await send('post /api/media/{mediaId}/parts', clip.id, { parts: [{ partNumber: 0 }] });
    await send('post /api/media/{mediaId}/abort', clip.id);
    for (const refused of [
      { bytes: 0 },
      { contentType: 'text/html' },
      { bytes: 65 * 1_048_576 },
      { brandId: randomUUID() },
    ])
      await send('post /api/media/upload', '', declared(refused));
  });

  it('for files in each state', async () => {
    const { database } = api.test;
    for (const status of ['uploading', 'inspecting', 'ready', 'rejected'] as const) {
      const { id } = await aMediaFile(database, world.brandId, { status, altText: 'A', tags: ['b'] });
      const { headers } = await send('get /api/media/{mediaId}', id);
      await send('get /api/media/{mediaId}', id, undefined, {
        headers: { 'if-none-match': headers.get('etag') ?? '' },
      });
      await send('patch /api/media/{mediaId}', id);
      await send('patch /api/media/{mediaId}', id, { altText: 5 });
      await send('get /api/media');
      for (const operation of ['patch /api/media/{mediaId}', 'delete /api/media/{mediaId}'])
        await send(operation, id, undefined, { headers: { 'if-match': '"v9"' } });
      await database.query('INSERT INTO media.use VALUES ($1, $2, $3, true)', [
        id,
        randomUUID(),
        world.brandId,
      ]);
      await send('get /api/media/{mediaId}', id);
      await send('delete /api/media/{mediaId}', id);
      const robot = api.as(api.identity.service({ organization: { id: world.organizationId } }));
      await send('patch /api/media/{mediaId}', id, { altText: 'Z' }, { call: robot });
      await database.query('DELETE FROM media.use');
      await send('delete /api/media/{mediaId}', id);
    }
  });

  it('for unknown files, without credentials, without a scope, while identity is down', async () => {
    const { id } = await aMediaFile(api.test.database, world.brandId);
    const reader = api.as(api.person(world.organizationId, ['accounts.read']).token);
    for (const operation of Object.keys(OPERATIONS)) {
      if (operation.includes('{')) await send(operation, randomUUID());
      for (const call of [api.as(), reader]) await send(operation, id, bodyOf(operation), { call });
    }
    await send('get /api/media', '', undefined, { headers: { 'x-brand-id': randomUUID() } });
    api.identity.goDown();
    for (const operation of Object.keys(OPERATIONS)) await send(operation, id);
    api.identity.comeBack();
  });

  it('and every documented status except the common ones occurred', () => {
    for (const [operation, statuses] of Object.entries(OPERATIONS)) {
      const inFront = [408, 429, 431, ...[413, 415].filter((status) => !statuses.includes(status))];
      const documentedOnes = documented.statuses(operation).filter((status) => !inFront.includes(status));
      expect([operation, documentedOnes]).toEqual([operation, statuses]);
      expect([operation, [...(seen.get(operation) ?? [])].sort()]).toEqual([operation, statuses]);
    }
  });
});
