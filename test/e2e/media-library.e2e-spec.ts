import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { TransferredStorageSweep } from '../../src/media/sweeps/transferred-storage.sweep.js';
import { BusinessApi } from '../support/business-api.js';
import { aMediaFile, type FileFields, IMAGE_FACTS, storedBytes } from '../support/media-files.js';
import { MediaWorld } from '../support/media-world.js';
import { RowLock } from '../support/row-lock.js';

describe('the media library', () => {
  let api: BusinessApi;
  let world: MediaWorld;

  beforeAll(async () => {
    api = await BusinessApi.start();
  });
  beforeEach(async () => {
    world = await MediaWorld.of(api);
  });
  afterAll(() => api.stop());

  const file = (fields: FileFields = {}, brandId = world.brandId) =>
    aMediaFile(api.test.database, brandId, fields);
  const list = async (query = '', headers = {}, call = world.call) =>
    (await call('GET', `/api/media${query}`, undefined, headers)).body;
  const idsOf = async (query = '', headers = {}, call = world.call) =>
    (await list(query, headers, call)).data.map(({ id }: { id: string }) => id) as string[];
  const one = (id: string) => `/api/media/${id}`;
  const use = (mediaId: string, needed: boolean, postId: string = randomUUID()) =>
    api.test.database
      .query('INSERT INTO media.use VALUES ($1, $2, $3, $4)', [mediaId, postId, world.brandId, needed])
      .then(() => postId);

  it('lists the files of all brands, newest first, in pages', async () => {
    const [a, b] = [await file(), await file()];
    const { body: brand } = await world.call('POST', '/api/brands', { name: 'Second' });
    const [c, d] = [await file({}, brand.id), await file()];
    const first = await list('?limit=3');
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual([d.id, c.id, b.id]);
    expect(first.pagination).toMatchObject({ hasMore: true, total: 4 });
    expect(await idsOf(`?limit=3&cursor=${first.pagination.nextCursor}`)).toEqual([a.id]);
    expect(await idsOf(`?brandId=${brand.id}`)).toEqual([c.id]);
    expect(await idsOf('', { 'x-brand-id': brand.id })).toEqual([c.id]);
    expect(await idsOf(`?brandId=${randomUUID()}`)).toEqual([]);
    const unknown = await world.call('GET', '/api/media', undefined, { 'x-brand-id': randomUUID() });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'brand_not_found']);
  });

  it('filters by kind, status and tag, alone and together, and warns of what it does not know', async () => {
    const video = { ...IMAGE_FACTS, kind: 'video' as const };
    const a = await file({ tags: ['Été', 'sea'] });
    const b = await file({ status: 'inspecting', tags: ['sea'] });
    const c = await file({ facts: video, contentType: 'video/mp4', tags: ["it's", '~kvideo', 'a\\b'] });
    expect(await idsOf('?kind=video')).toEqual([c.id]);
    expect(await idsOf('?kind=video,image&status=ready')).toEqual([c.id, a.id]);
    expect(await idsOf('?status=inspecting,rejected')).toEqual([b.id]);
    expect(await idsOf('?tag=ETE')).toEqual([a.id]);
    expect(await idsOf("?tag=it's")).toEqual([c.id]);
    expect(await idsOf('?tag=~kvideo')).toEqual([c.id]);
    expect(await idsOf(`?tag=${encodeURIComponent('a\\b')}`)).toEqual([c.id]);
    for (const tag of ['\\', "'", '&', "a' | '~sready", ':*', '!x'])
      expect(await idsOf(`?tag=${encodeURIComponent(tag)}`)).toEqual([]);
    expect(await idsOf('?tag=se')).toEqual([]);
    expect(await idsOf('?tag=sea&status=ready&kind=image')).toEqual([a.id]);
    expect(await idsOf('?tag=sea&kind=video')).toEqual([]);
    const { data, warnings } = await list('?kind=audio&colour=red');
    expect(data).toHaveLength(3);
    expect(warnings.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual([
      'colour',
      'kind',
    ]);
  });

  it('finds words of file name, alt text and tags, the last one as a prefix', async () => {
    const a = await file({ fileName: 'IMG_2034-harbour.jpg', altText: 'Boote im Hafen bei Dämmerung' });
    const b = await file({ fileName: 'harbour wide.png', tags: ['dawn'] });
    await file({ fileName: 'market.jpg' });
    expect(await idsOf('?q=harbour')).toEqual([b.id, a.id]);
    expect(await idsOf('?q=harbour%20daw')).toEqual([b.id]);
    expect(await idsOf('?q=DAMMER')).toEqual([a.id]);
    expect(await idsOf('?q=2034')).toEqual([a.id]);
    expect(await idsOf('?q=harb%20wide')).toEqual([]);
    expect(await idsOf('?q=harbour&kind=video')).toEqual([]);
    for (const q of ['!!!', '~kimage', "'", '\\', ':*', '&', 'a & | ! (', 'x'.repeat(3_000)])
      expect(await idsOf(`?q=${encodeURIComponent(q)}`)).toEqual([]);
    const page = await list('?q=harbour&limit=1');
    expect(page.pagination).toMatchObject({ hasMore: true, total: 2 });
    expect(await idsOf(`?q=harbour&limit=1&cursor=${page.pagination.nextCursor}`)).toEqual([a.id]);
  });

  describe('whatever a client asks', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('\0', '\\', "'", '"', ':*', ' | ', ' & ', '!', '~sready', "\\'", 'İ'),
      fc
        .tuple(fc.constantFrom('x', '\u{fdfa}', '\u{1f469}', '水', '\\', "'"), fc.nat(1_400))
        .map(([one, n]) => one.repeat(n)),
    );
    const text = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));
    /** Escapes of bytes that are no UTF-8: half of a pair of surrogates, an overlong form, a lonely byte. */
    const noText = fc.constantFrom('%ed%a0%80', '%c0%80', '%ff', '');
    const options = { seed: 20_260_101, numRuns: 60 };

    it('is never refused, and never an error', async () => {
      const asked = fc.tuple(fc.constantFrom('tag', 'q'), text, noText);
      const property = fc.asyncProperty(asked, async ([name, value, bytes]) => {
        const escaped = encodeURIComponent(value).slice(0, 12_000).replace(/%.?$/, '');
        const { status, text } = await world.call('GET', `/api/media?${name}=${escaped}${bytes}`);
        if (status !== 200) throw new Error(text);
      });
      await fc.assert(property, {
        ...options,
        examples: [
          [['tag', 'x'.repeat(3_000), '']],
          [['tag', '\u{fdfa}'.repeat(80), '']],
          [['tag', '\0', '']],
          [['q', '\0', '']],
          [['q', '\u{fdfa}'.repeat(600), '']],
          [['q', `${'x'.repeat(3_000)} ${'\u{fdfa}'.repeat(60)}`, '']],
        ],
      });
    });

    it('is found by its tag', async () => {
      const tags = text
        .map((value) => [...value.replaceAll('\0', '').trim()].slice(0, 60).join('').trim())
        .filter((tag) => tag !== '');
      const property = fc.asyncProperty(tags, async (tag) => {
        const { id } = await file({ tags: [tag] });
        const found = await idsOf(`?limit=1&tag=${encodeURIComponent(tag)}`);
        if (found[0] !== id) throw new Error(`not found by ${JSON.stringify(tag)}`);
      });
      await fc.assert(property, { ...options, examples: [['a\\b'], ["it's"], ['\u{fdfa}'.repeat(60)]] });
    });
  });

  describe('of many files', () => {
    const names = (page: { data: { fileName: string }[] }) => page.data.map(({ fileName }) => fileName);
    /** Files with ascending ids: the number of the file is in its name. */
    const many = (brandId: string, name: string, from: number, to: number) =>
      api.test.database.query(
        `INSERT INTO media.file (id, brand_id, status, kind, file_name, content_type, bytes, object_key,
           upload_expires_at, created_by_type, created_by)
         SELECT ('01936d2e-7c1a-7b3e-' || substr(md5($1::text), 1, 4) || '-' || lpad(to_hex(n), 12, '0'))::uuid, $1::uuid, 'ready',
           CASE WHEN n % 2 = 0 THEN 'video' ELSE 'image' END, $2 || ' ' || n, 'image/png', 1, $1::text || n, now(), 'user', 'x'
         FROM generate_series($3::int, $4::int) AS n`,
        [brandId, name, from, to],
      );

    it('finds old ones that are few, and many, in the order of all brands', async () => {
      const { body: second } = await world.call('POST', '/api/brands', { name: 'Second' });
      const { brandId } = world;
      await many(brandId, 'old common', 1, 3_200);
      await many(brandId, 'old rare', 3_201, 3_203);
      await many(brandId, 'new', 3_204, 13_300);
      const { id } = await file({ fileName: 'common rare' }, second.id);
      const old = `01936d2e-7c1a-7b3e-0000-000000000001`;
      await api.test.database.query('UPDATE media.file SET id = $2 WHERE id = $1', [id, old]);
      await api.test.database.query('ANALYZE media.file');

      const few = await list('?q=rare&limit=2');
      expect(names(few)).toEqual(['old rare 3203', 'old rare 3202']);
      expect(few.pagination.total).toBe(4);
      const rest = await list(`?q=rare&limit=2&cursor=${few.pagination.nextCursor}`);
      expect(names(rest)).toEqual(['old rare 3201', 'common rare']);
      expect(rest.pagination.hasMore).toBe(false);

      const lots = await list('?q=common&limit=2');
      expect(names(lots)).toEqual(['old common 3200', 'old common 3199']);
      expect(lots.pagination).toMatchObject({ hasMore: true, totalExceeds: 3_000 });
      const next = await list(`?q=common&limit=2&cursor=${lots.pagination.nextCursor}`);
      expect(names(next)).toEqual(['old common 3198', 'old common 3197']);
      expect(names(await list(`?q=common&brandId=${second.id}`))).toEqual(['common rare']);

      expect(names(await list('?q=old%20comm&kind=image&limit=1'))).toEqual(['old common 3199']);
      expect(names(await list('?q=new&limit=1'))).toEqual(['new 13300']);
      expect((await list('?limit=1')).pagination).toMatchObject({ totalExceeds: 1_000 });
    });
  });

  it('is limited to the brands of a bound caller', async () => {
    const { body: second } = await world.call('POST', '/api/brands', { name: 'Second' });
    const [mine, other] = [
      await file({ fileName: 'hill.jpg' }),
      await file({ fileName: 'hill.jpg' }, second.id),
    ];
    const { organizationId, brandId } = world;
    const organizations = [{ id: organizationId, brandIds: [brandId] }];
    const bound = api.as(api.identity.user({ organizations }));
    expect(await idsOf('', {}, bound)).toEqual([mine.id]);
    expect(await idsOf('?q=hill', {}, bound)).toEqual([mine.id]);
    expect((await bound('GET', one(other.id))).status).toBe(404);
    expect((await bound('DELETE', one(other.id))).status).toBe(404);
  });

  it('shows one file with its uses and a download of the original', async () => {
    const { id } = await file({ fileName: 'Žofín.jpg' });
    const [published, draft] = [await use(id, false), await use(id, true)];
    const { status, body, headers } = await world.call('GET', one(id));
    expect(status).toBe(200);
    expect(body.uses).toEqual([
      { postId: draft, needed: true },
      { postId: published, needed: false },
    ]);
    const download = new URL(body.downloadUrl);
    expect(download.searchParams.get('X-Amz-Expires')).toBe('300');
    expect(download.searchParams.get('response-content-disposition')).toMatch(/^attachment; /);
    expect(download.searchParams.get('response-content-type')).toBe('image/jpeg');
    expect(headers.get('etag')).toMatch(/^"v1-/);
    const { body: inspecting } = await world.call('GET', one((await file({ status: 'inspecting' })).id));
    expect(inspecting).toMatchObject({ downloadUrl: null, width: null, uses: [] });
  });

  it('changes alt text, tags and focus point, and records which', async () => {
    const { id } = await file({ altText: 'old', tags: ['a'] });
    const patch = (body: object, headers = {}) => world.call('PATCH', one(id), body, headers);
    const changed = await patch({ altText: 'new', focusPoint: { x: 0.25, y: 0.75 } }, { 'if-match': '"v1"' });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { altText: 'new', tags: ['a'], focusPoint: { x: 0.25, y: 0.75 }, version: 2 },
    ]);
    expect((await patch({ altText: 'new', tags: ['a', ' A '] })).body.version).toBe(2);
    expect((await patch({ altText: null, tags: null })).body).toMatchObject({
      altText: null,
      tags: [],
      version: 3,
    });
    expect((await patch({ altText: 'late' }, { 'if-match': '"v2"' })).status).toBe(412);
    for (const body of [
      { altText: 'x'.repeat(1_001) },
      { focusPoint: { x: 2, y: 0 } },
      { focusPoint: { x: 0.5 } },
      { focusPoint: null },
      { tags: Array.from({ length: 51 }, (_, n) => `t${n}`) },
      { status: 'ready' },
    ])
      expect((await patch(body)).status).toBe(400);
    await api.followed();
    const brand = { 'x-brand-id': world.brandId };
    const { body } = await world.call('GET', '/api/content-ops/events', undefined, brand);
    const changes = body.data.filter(({ kind }: { kind: string }) => kind === 'media.changed');
    expect(changes.map(({ details }: { details: object }) => details)).toEqual([
      { mediaId: id, changed: ['altText', 'focusPoint'] },
      { mediaId: id, changed: ['altText', 'tags'] },
    ]);
    expect(JSON.stringify(body)).not.toContain('photo.jpg');
    const stored = await api.test.database.query(
      'SELECT data FROM events.event WHERE stream = $1 ORDER BY version',
      [id],
    );
    const about = { mediaId: id, brandId: world.brandId };
    expect(stored).toEqual([
      { data: { ...about, changed: ['altText', 'focusPoint'] } },
      { data: { ...about, changed: ['altText', 'tags'] } },
    ]);
  });

  it('shows what was made of a file for networks', async () => {
    const { id } = await file();
    const { body: none } = await world.call('GET', one(id));
    expect(none.renditions).toEqual([]);
    const [pending, failed, ready] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()].toSorted();
    await api.test.database.query(
      `INSERT INTO media.rendition (id, media_id, spec_key, spec, focus_x, focus_y, status, failure, object_key, etag,
         content_type, bytes, width, height)
       VALUES ($2, $1, 'a', '{"kind": "image"}', 0.5, 0.5, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
         ($3, $1, 'b', '{"kind": "video"}', 0.5, 0.5, 'failed', '{"code": "cannot_fit", "message": "Too large."}', NULL,
           NULL, NULL, NULL, NULL, NULL),
         ($4, $1, 'c', '{"kind": "image"}', 0.5, 0.5, 'ready', NULL, 'media/' || $1::uuid || '/renditions/' || $4::uuid || '.jpg', '"1"',
           'image/jpeg', 9, 3, 2)`,
      [id, pending, failed, ready],
    );
    const { body } = await world.call('GET', one(id));
    const unknown = {
      contentType: null,
      bytes: null,
      width: null,
      height: null,
      durationMs: null,
      url: null,
    };
    expect(body.renditions).toMatchObject([
      { id: ready, status: 'ready', kind: 'image', contentType: 'image/jpeg', bytes: 9, width: 3, height: 2 },
      {
        ...unknown,
        id: failed,
        status: 'failed',
        kind: 'video',
        failure: { code: 'cannot_fit', message: 'Too large.' },
      },
      { ...unknown, id: pending, status: 'pending', kind: 'image', failure: null },
    ]);
    expect(body.renditions[0].url).toMatch(/\/m\/[\w-]+\.[\w-]{43}$/);
  });

  it('lets no automation change what a post shows of a file while an unpublished post uses it', async () => {
    const { id } = await file();
    const robot = api.as(api.identity.service({ organization: { id: world.organizationId } }));
    await use(id, false);
    expect((await robot('PATCH', one(id), { altText: 'by a robot' })).status).toBe(200);
    const postId = await use(id, true);
    const refused = await robot('PATCH', one(id), { altText: 'by another robot' });
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'media_in_use', postIds: [postId] }]);
    const cropped = await robot('PATCH', one(id), { focusPoint: { x: 0, y: 0 } });
    expect([cropped.status, cropped.body.code]).toEqual([409, 'media_in_use']);
    expect((await robot('PATCH', one(id), { tags: ['a'] })).status).toBe(200);
    expect((await world.call('PATCH', one(id), { altText: 'by a person' })).status).toBe(200);
  });

  it('deletes a file that no unpublished post uses, with its objects and bytes', async () => {
    const { id, key } = await file();
    const postId = await use(id, true);
    const refused = await world.call('DELETE', one(id));
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'media_in_use', postIds: [postId] }]);
    await api.test.database.query('UPDATE media.use SET needed = false WHERE media_id = $1', [id]);
    expect((await world.call('DELETE', one(id), undefined, { 'if-match': '"v9"' })).status).toBe(412);
    expect((await world.call('DELETE', one(id))).status).toBe(204);
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', {}]] as const)
      expect((await world.call(method, one(id), body)).status).toBe(404);
    expect(await storedBytes(api.test.database, world.organizationId)).toBe(0);
    expect(await api.test.database.query('SELECT FROM media.object_to_remove WHERE key = $1', [key])).toEqual(
      [],
    );
    const types = await api.test.database.query('SELECT type FROM events.event WHERE stream = $1', [id]);
    expect(types).toEqual([{ type: 'MediaDeleted' }]);
  });

  it('is not changed by the former organization while a brand moves, and is by who belongs to both', async () => {
    const to = randomUUID();
    // Each with an organization of its own: uploads and deletions of one organization run one after the other.
    const moves = await Promise.all(Array.from({ length: 6 }, () => MediaWorld.of(api)));
    const [begins, changes, deletes, aborts, changesInBoth, beginsInBoth] = moves as [
      ...[MediaWorld, MediaWorld, MediaWorld, MediaWorld, MediaWorld, MediaWorld],
    ];
    const inBoth = ({ organizationId }: MediaWorld) =>
      api.as(api.identity.user({ organizations: [organizationId, to].map((id) => ({ id, role: 'owner' })) }));
    const [changed, deleted, aborted, shared] = [
      await file({}, changes.brandId),
      await file({}, deletes.brandId),
      await file({ status: 'uploading' }, aborts.brandId),
      await file({}, changesInBoth.brandId),
    ];
    const brandIds = moves.map(({ brandId }) => brandId);
    const moving = await RowLock.by(
      api.test,
      'UPDATE brands.brand_view SET organization_id = $2 WHERE id = ANY($1::uuid[])',
      [brandIds, to],
    );
    const answers = await moving.meanwhile([
      begins.begin(randomBytes(9)),
      changes.call('PATCH', one(changed.id), { altText: 'late' }),
      deletes.call('DELETE', one(deleted.id)),
      aborts.call('POST', `${one(aborted.id)}/abort`),
      inBoth(changesInBoth)('PATCH', one(shared.id), { altText: 'in time' }),
      beginsInBoth.begin(randomBytes(9), {}, inBoth(beginsInBoth)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 200, 200]);
    expect(answers.slice(0, 2).map(({ body }) => body.code)).toEqual(['brand_not_found', 'media_not_found']);
    const rows = await api.test.database.query<{ id: string }>(
      'SELECT id FROM media.file WHERE brand_id = ANY($1::uuid[])',
      [brandIds],
    );
    const begun = answers.at(-1)?.body.media.id as string;
    const kept = [changed, deleted, aborted, shared].map(({ id }) => id);
    expect(rows.map(({ id }) => id).sort()).toEqual([...kept, begun].sort());
    const events = await api.test.database.query(
      `SELECT stream, type, metadata->>'organizationId' AS "organizationId" FROM events.event
       WHERE stream = ANY($1::uuid[])`,
      [kept],
    );
    expect(events).toEqual([{ stream: shared.id, type: 'MediaChanged', organizationId: to }]);
  });

  it('follows a brand to another organization, and so do its bytes', async () => {
    const person = api.person();
    const target = randomUUID();
    const organizations = [
      { id: person.organizationId, role: 'owner' },
      { id: target, role: 'owner' },
    ];
    const owner = api.as(api.identity.user({ organizations }));
    const { body: brand } = await owner('POST', '/api/brands', {
      name: 'Moving',
      organizationId: person.organizationId,
    });
    const { id } = await file({ fileName: 'hill.jpg' }, brand.id);
    const former = api.as(person.token);
    expect(await idsOf('?q=hill', {}, former)).toEqual([id]);
    const moved = await owner('POST', `/api/brands/${brand.id}/transfer-organization`, {
      organizationId: target,
    });
    expect(moved.status).toBe(200);
    for (const query of ['', '?q=hill', `?brandId=${brand.id}`])
      expect(await idsOf(query, {}, former)).toEqual([]);
    expect((await former('GET', one(id))).status).toBe(404);
    const next = api.as(api.person(target).token);
    expect(await idsOf('?q=hill', {}, next)).toEqual([id]);
    const { database } = api.test;
    const sweeps = [1, 2, 3].map(() => new TransferredStorageSweep(database).sweep());
    await Promise.all(sweeps);
    expect(await storedBytes(database, person.organizationId)).toBe(0);
    expect(await storedBytes(database, target)).toBe(1_000);
    expect((await next('DELETE', one(id))).status).toBe(204);
    expect(await storedBytes(database, target)).toBe(0);
  });
});
