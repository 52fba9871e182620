import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import { loadConfig } from '#libs/config';
import type { RenditionSpec } from '#libs/content';
import { UsedTime } from '#libs/concurrency';
import { ObjectStorage, ObjectStorageConfig, ObjectStorageIsUnavailable } from '#libs/object-storage';
import { isDataError } from '#libs/database';
import { MediaObjects } from '../../src/media/media-objects.store.js';
import {
  PrepareRenditions,
  PrepareRenditionsHandler,
} from '../../src/media/renditions/commands/prepare-renditions.js';
import type { RenderedFile } from '../../src/media/renditions/domain/render.types.js';
import { renditionsOfFile } from '../../src/media/renditions/queries/get-renditions.js';
import { UnneededRenditionsSweep } from '../../src/media/renditions/worker/unneeded-renditions.sweep.js';
import {
  type ClaimedRendition,
  RenditionClaims,
} from '../../src/media/renditions/worker/rendition-claims.store.js';
import { retryDelay } from '../../src/media/renditions/worker/rendition-failures.js';
import { RenditionResults } from '../../src/media/renditions/worker/rendition-results.js';
import { eventually } from '../support/eventually.js';
import { aBrandRow, aMediaFile } from '../support/media-files.js';
import { OwnStorage } from '../support/object-storage.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const VIDEO: RenditionSpec = { kind: 'video', container: 'mp4', maxBytes: 512_000_000 };
const JPEG: RenditionSpec = {
  kind: 'image',
  formats: ['jpeg'],
  maxBytes: 5_000_000,
  maxWidth: 1440,
  maxHeight: 1440,
  maxPixels: null,
  ratio: null,
};
const CROPPED: RenditionSpec = { ...JPEG, ratio: { min: 0.8, max: 1.91 } };

describe('renditions of files', () => {
  let test: TestDatabase;
  let own: OwnStorage;
  let storage: ObjectStorage;
  let objects: MediaObjects;
  let claims: RenditionClaims;
  let results: RenditionResults;
  let brandId: string;
  let folder: string;

  beforeAll(async () => {
    [test, own] = [await createTestDatabase(), await OwnStorage.start()];
    storage = new ObjectStorage(loadConfig(ObjectStorageConfig, own.environment));
    objects = new MediaObjects(test.database, storage);
    results = new RenditionResults(test.database, storage, objects);
    brandId = (await aBrandRow(test.database)).id;
    folder = await mkdtemp(join(tmpdir(), 'renditions-test-'));
  });
  /** For each test: it remembers how much time organizations took. */
  beforeEach(() => (claims = new RenditionClaims(test.database)));
  afterEach(() => test.database.query('DELETE FROM media.rendition'));
  afterAll(async () => {
    storage.onApplicationShutdown();
    await own.remove();
    await test.drop();
    await rm(folder, { recursive: true });
  });

  const query = (sql: string, values: unknown[] = []) =>
    test.database.query<Record<string, unknown>>(sql, values);
  const aFile = () => aMediaFile(test.database, brandId);
  const prepare = (...files: { mediaId: string; spec: RenditionSpec }[]) =>
    new PrepareRenditionsHandler(test.database).execute(new PrepareRenditions({ files }));
  const list = (mediaId: string) => renditionsOfFile(test.database, mediaId);
  const prepared = async (spec = JPEG) => {
    const file = await aFile();
    await prepare({ mediaId: file.id, spec });
    const [claimed] = (await claims.take(1, 'fast')) as [ClaimedRendition];
    return { file, claimed };
  };
  const output = async (text = 'a picture'): Promise<RenderedFile> => {
    const path = join(folder, 'rendition.jpg');
    await writeFile(path, text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const shown = { width: 3, height: 2, durationMs: null };
    return { kind: 'rendered', path, contentType: 'image/jpeg', bytes: text.length, sha256, ...shown };
  };
  const leaseEnds = () => query(`UPDATE media.rendition SET due_at = now() - interval '1 second'`);

  describe('are asked for', () => {
    it('once for each file and specification, also by two replicas at once', async () => {
      const { id: mediaId } = await aFile();
      const reordered = Object.fromEntries(Object.entries(JPEG).toReversed()) as unknown as RenditionSpec;
      const all = [JPEG, reordered, VIDEO, JPEG].map((spec) => ({ mediaId, spec }));
      await Promise.all(Array.from({ length: 8 }, () => prepare(...all)));
      expect((await list(mediaId)).map(({ spec, status }) => [spec.kind, status]).toSorted()).toEqual([
        ['image', 'pending'],
        ['video', 'pending'],
      ]);
    });

    it('again after a change of the focus point, when it decides the crop', async () => {
      const { id: mediaId } = await aFile();
      await prepare({ mediaId, spec: JPEG }, { mediaId, spec: CROPPED });
      await query('UPDATE media.file SET focus_x = 0.25 WHERE id = $1', [mediaId]);
      await prepare({ mediaId, spec: JPEG }, { mediaId, spec: CROPPED });
      const rows = await query('SELECT spec, focus_x FROM media.rendition WHERE media_id = $1 ORDER BY id', [
        mediaId,
      ]);
      expect(
        rows.filter(({ spec }) => (spec as { ratio: unknown }).ratio !== null).map((row) => row.focus_x),
      ).toEqual([0.5, 0.25]);
      expect(rows).toHaveLength(3);
    });

    it('only of files that exist and are ready', async () => {
      const { id: mediaId } = await aMediaFile(test.database, brandId, { status: 'inspecting' });
      await prepare({ mediaId, spec: JPEG }, { mediaId: '01890000-0000-7000-8000-000000000000', spec: JPEG });
      await prepare();
      expect(await query('SELECT FROM media.rendition')).toEqual([]);
    });

    it('and stay needed for as long as they are asked for', async () => {
      const { id: mediaId } = await aFile();
      await prepare({ mediaId, spec: JPEG });
      await query(`UPDATE media.rendition SET last_needed_at = now() - interval '20 days'`);
      await prepare({ mediaId, spec: JPEG });
      const [row] = await query(
        `SELECT last_needed_at > now() - interval '1 minute' AS fresh FROM media.rendition`,
      );
      expect(row).toEqual({ fresh: true });
    });
  });

  describe('that failed are asked for once more', () => {
    const again = (...mediaIds: string[]) => {
      const files = mediaIds.map((mediaId) => ({ mediaId, spec: JPEG }));
      return new PrepareRenditionsHandler(test.database).execute(
        new PrepareRenditions({ files, again: true }),
      );
    };
    const failed = async () => {
      const { file, claimed } = await prepared();
      await results.fail(claimed, { code: 'not_readable', message: 'Out of memory.' });
      return file.id;
    };

    it('and have one try, later and later: a loop of requests makes no load', async () => {
      const mediaId = await failed();
      const pauses: number[] = [];
      for (let request = 0; request < 10; request += 1) {
        await again(mediaId);
        const [row] = await query(
          `SELECT status, failures, errors, extract(epoch FROM due_at - now())::float8 AS pause FROM media.rendition`,
        );
        expect(row).toMatchObject({ status: 'pending', failures: 2, errors: 19 });
        pauses.push(Math.max(0, Math.round(row?.pause as number)));
        await query(
          `UPDATE media.rendition SET status = 'failed', failure = '{}', due_at = now(), awaited_since = now()`,
        );
      }
      expect(pauses.slice(0, 4)).toEqual([0, 30, 90, 210]);
      expect(pauses.slice(-2)).toEqual([3810, 3810]);
    });

    it('and wait from then on', async () => {
      const mediaId = await failed();
      await query(
        `UPDATE media.rendition SET created_at = now() - interval '9 days', awaited_since = now() - interval '9 days'`,
      );
      await again(mediaId);
      expect(await claims.counts()).toMatchObject({ pending: 1, oldestSeconds: expect.any(Number) });
      expect((await claims.counts()).oldestSeconds).toBeLessThan(3_600);
    });

    it('are locked in one order, so that two requests do not deadlock', async () => {
      const [first, second] = [await failed(), await failed()].toSorted() as [string, string];
      // The rows that are first in order are last in their tables.
      await query('UPDATE media.file SET updated_at = now() WHERE id = $1', [first]);
      await query('UPDATE media.rendition SET attempts = attempts + 1 WHERE media_id = $1', [first]);
      const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holder = test.database.transaction(async (transaction) => {
        await transaction.query('SELECT FROM media.rendition WHERE media_id = $1 FOR UPDATE', [first]);
        locked.resolve();
        await released.promise;
      });
      await locked.promise;
      const waiting = again(second, first);
      await eventually(async () =>
        expect(
          await query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ),
        ).toHaveLength(1),
      );
      const free = await query('SELECT id FROM media.rendition WHERE media_id = $1 FOR UPDATE SKIP LOCKED', [
        second,
      ]);
      released.resolve();
      await Promise.all([holder, waiting]);
      expect(free).toHaveLength(1);
    });
  });

  it('of former focus points are few, even when it moves in a loop; their objects are removed', async () => {
    const { id: mediaId } = await aFile();
    for (let move = 0; move < 12; move += 1) {
      await query('UPDATE media.file SET focus_x = $2 WHERE id = $1', [mediaId, move / 20]);
      await prepare({ mediaId, spec: CROPPED }, { mediaId, spec: JPEG });
      for (const claimed of await claims.take(5, 'fast'))
        await results.store(claimed, await output(`at ${move}`), folder);
    }
    await objects.removeDue(100, Infinity);
    const kept = await query(
      `SELECT focus_x FROM media.rendition WHERE spec->>'ratio' IS NOT NULL ORDER BY id`,
    );
    expect(kept.map(({ focus_x: x }) => x)).toEqual([0.45, 0.5, 0.55]);
    expect(await list(mediaId)).toHaveLength(4);
    expect(await own.files(`media/${mediaId}/`)).toHaveLength(4);
  });

  it('are at most 24 of a file', async () => {
    const { id: mediaId } = await aFile();
    for (let pixels = 1; pixels <= 30; pixels += 1)
      await prepare({ mediaId, spec: { ...JPEG, maxWidth: pixels } });
    const kept = await query(`SELECT min((spec->>'maxWidth')::int), count(*)::int FROM media.rendition`);
    expect(kept).toEqual([{ min: 7, count: 24 }]);
  });

  describe('are claimed', () => {
    it('by one worker each, with what is needed to make them', async () => {
      const files = await Promise.all(Array.from({ length: 6 }, aFile));
      await prepare(...files.map(({ id: mediaId }) => ({ mediaId, spec: JPEG })));
      const taken = (
        await Promise.all([claims.take(4, 'fast'), claims.take(4, 'fast'), claims.take(4, 'fast')])
      ).flat();
      expect(taken).toHaveLength(6);
      expect(new Set(taken.map(({ mediaId }) => mediaId)).size).toBe(6);
      const [file] = files.filter(({ id }) => id === taken[0]?.mediaId);
      expect(taken[0]).toMatchObject({
        ...{ spec: JPEG, kind: 'image', bytes: 1000, focusX: 0.5, focusY: 0.5, attempts: 1, takeovers: 0 },
        ...{ objectKey: file?.key, etag: file?.etag },
      });
      expect(await claims.take(4, 'fast')).toEqual([]);
    });

    it('for one organization after the other, however many are due before', async () => {
      const { organizationId, id: first } = await aBrandRow(test.database);
      const second = (await aBrandRow(test.database, organizationId)).id;
      const brands = [first, second, first, second, brandId, brandId];
      const files: string[] = [];
      for (const brand of brands) {
        files.push((await aMediaFile(test.database, brand)).id);
        await prepare({ mediaId: files.at(-1) as string, spec: JPEG });
      }
      const taken: number[] = [];
      const used = new UsedTime();
      for (const _ of files) {
        const [claimed] = await claims.take(1, 'fast', used.leastFirst());
        used.begin(claimed?.organizationId ?? '');
        taken.push(files.indexOf(claimed?.mediaId ?? ''));
      }
      expect(taken).toEqual([0, 4, 1, 5, 2, 3]);
    });

    it('for all organizations alike when several are claimed at once', async () => {
      const { id: other } = await aBrandRow(test.database);
      for (const brand of [other, other, other, brandId]) {
        const { id: mediaId } = await aMediaFile(test.database, brand);
        await prepare({ mediaId, spec: JPEG });
      }
      const taken = await claims.take(2, 'fast');
      expect(new Set(taken.map(({ organizationId }) => organizationId)).size).toBe(2);
    });

    it('by another worker after the lease, which is counted; the first one has lost them', async () => {
      const { claimed } = await prepared();
      expect(await claims.renew(claimed)).toBe(true);
      await leaseEnds();
      const [second] = await claims.take(1, 'fast');
      expect(second).toMatchObject({ id: claimed.id, attempts: 2, takeovers: 1 });
      expect(await claims.renew(claimed)).toBe(false);
      await claims.release(claimed, { dueInMs: 0, failures: 1, errors: 1 });
      expect(await claims.take(1, 'fast')).toEqual([]);
    });

    it('again after a release, which is no takeover', async () => {
      const { claimed } = await prepared();
      await claims.release(claimed, { dueInMs: 60_000, failures: 1, errors: 1 });
      expect(await claims.take(1, 'fast')).toEqual([]);
      await leaseEnds();
      // What ended its process delays no picture that did not.
      expect(await claims.take(1, 'fast')).toEqual([]);
      expect(await claims.take(1, 'slow')).toMatchObject([
        { attempts: 2, takeovers: 0, failures: 1, errors: 1 },
      ]);
    });
  });

  describe('have one object', () => {
    it('that the row owns', async () => {
      const { file, claimed } = await prepared();
      expect(await results.store(claimed, await output(), folder)).toBe(true);
      const [row] = await list(file.id);
      expect(row).toMatchObject({
        status: 'ready',
        content_type: 'image/jpeg',
        bytes: '9',
        width: 3,
        height: 2,
      });
      expect(row?.object_key).toMatch(new RegExp(`^media/${file.id}/renditions/[-0-9a-f]{36}\\.jpg$`));
      expect(await own.files(`media/${file.id}/`)).toEqual([row?.object_key]);
      expect(await storage.head(row?.object_key ?? '', { etag: row?.etag ?? '' })).toMatchObject({
        length: 9,
      });
      expect(await query('SELECT FROM media.object_to_remove WHERE key = $1', [row?.object_key])).toEqual([]);
    });

    it('when a worker that was taken over stores its own too', async () => {
      const { file, claimed } = await prepared();
      await leaseEnds();
      const [second] = (await claims.take(1, 'fast')) as [ClaimedRendition];
      expect(await results.store(second, await output(), folder)).toBe(true);
      expect(await results.store(claimed, await output('late'), folder)).toBe(false);
      expect(await results.fail(claimed, { code: 'cannot_fit', message: 'late' })).toBe(false);
      const [row] = await list(file.id);
      expect(row).toMatchObject({ status: 'ready', bytes: '9' });
      expect(await own.files(`media/${file.id}/`)).toEqual([row?.object_key]);
    });

    it('of the worker that holds the claim, also when the former one ends first', async () => {
      const { file, claimed } = await prepared();
      await leaseEnds();
      const [second] = (await claims.take(1, 'fast')) as [ClaimedRendition];
      expect(await results.store(claimed, await output('late'), folder)).toBe(false);
      expect(await results.fail(claimed, { code: 'cannot_fit', message: 'late' })).toBe(false);
      expect(await results.store(second, await output(), folder)).toBe(true);
      const [row] = await list(file.id);
      expect(row).toMatchObject({ status: 'ready', bytes: '9' });
      expect(await own.files(`media/${file.id}/`)).toEqual([row?.object_key]);
    });

    it('and none when the file is deleted meanwhile, or afterwards', async () => {
      const during = await prepared();
      await query('DELETE FROM media.file WHERE id = $1', [during.file.id]);
      expect(await results.store(during.claimed, await output(), folder)).toBe(false);

      const after = await prepared();
      await results.store(after.claimed, await output(), folder);
      await query('DELETE FROM media.file WHERE id = $1', [after.file.id]);
      await objects.removeDue(10, Infinity);

      expect(await own.files(`media/${during.file.id}/`)).toEqual([]);
      expect(await own.files(`media/${after.file.id}/`)).toEqual([]);
    });

    it('and none when the database refuses its facts, which is no outage', async () => {
      const { file, claimed } = await prepared();
      const forged = { ...(await output()), durationMs: 4e12 };
      const error: unknown = await results.store(claimed, forged, folder).catch((thrown: unknown) => thrown);
      expect([isDataError(error), retryDelay(error, claimed)]).toEqual([true, null]);
      expect(await own.files(`media/${file.id}/`)).toEqual([]);
    });

    it('whose file is closed when it could not be stored', async () => {
      const { claimed } = await prepared();
      const opened: Readable[] = [];
      const put = jest.spyOn(storage, 'put').mockImplementationOnce(async (_, { body }) => {
        opened.push(body);
        await once(body, 'open');
        throw new ObjectStorageIsUnavailable(new Error('down'));
      });
      await expect(results.store(claimed, await output(), folder)).rejects.toThrow(
        ObjectStorageIsUnavailable,
      );
      put.mockRestore();
      expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
    });

    it('which is a regular file of the folder, whatever path the thread names', async () => {
      const { file, claimed } = await prepared();
      await rm(join(folder, 'rendition.jpg'), { force: true });
      const elsewhere = { ...(await output()), path: '/etc/passwd' };
      await expect(results.store(claimed, elsewhere, folder)).rejects.toThrow('ENOENT');
      await rm(join(folder, 'rendition.jpg'));
      await symlink('/etc/passwd', join(folder, 'rendition.jpg'));
      const linked = { ...elsewhere, path: join(folder, 'rendition.jpg') };
      await expect(results.store(claimed, linked, folder)).rejects.toThrow('no regular file');
      await rm(join(folder, 'rendition.jpg'));
      expect(await own.files(`media/${file.id}/`)).toEqual([]);
    });
  });

  it('that cannot be made keep the reason', async () => {
    const { file, claimed } = await prepared();
    expect(await results.fail(claimed, { code: 'cannot_fit', message: 'Too large.' })).toBe(true);
    await prepare({ mediaId: file.id, spec: JPEG });
    expect(await list(file.id)).toMatchObject([
      { status: 'failed', failure: { code: 'cannot_fit', message: 'Too large.' } },
    ]);
    await leaseEnds();
    expect(await claims.take(1, 'fast')).toEqual([]);
  });

  it('are removed with their object when nothing has needed them for 30 days', async () => {
    const sweep = new UnneededRenditionsSweep(test.database);
    const all = [await prepared(), await prepared(), await prepared(), await prepared()] as const;
    const [old, needed, used, claimed] = all;
    for (const each of [old, needed, used]) await results.store(each.claimed, await output(), folder);
    const days = (each: typeof old, age: number) =>
      query(
        'UPDATE media.rendition SET last_needed_at = now() - make_interval(days => $2) WHERE media_id = $1',
        [each.file.id, age],
      );
    await Promise.all([days(old, 31), days(needed, 29), days(used, 90), days(claimed, 31)]);
    await query(
      'INSERT INTO media.use (media_id, post_id, brand_id, needed) VALUES ($1, gen_random_uuid(), $2, true)',
      [used.file.id, brandId],
    );

    expect(await sweep.sweep()).toBe(1);
    await objects.removeDue(10, Infinity);

    const left = await Promise.all(all.map(({ file }) => list(file.id)));
    expect(left.map((rows) => rows.length)).toEqual([0, 1, 1, 1]);
    expect(await own.files(`media/${old.file.id}/`)).toEqual([]);
    expect(await own.files(`media/${used.file.id}/`)).toHaveLength(1);
  });
});
