import { randomBytes } from 'node:crypto';
import { garbageCollector } from '../../src/media/renditions/videos/write-video.js';
import { BusinessApi } from '../support/business-api.js';
import { type ApiResponse, callOf } from '../support/call.js';
import { storedBytes } from '../support/media-files.js';
import { MediaWorld, put } from '../support/media-world.js';

const UPLOADS = 2_000;
const MIB = 1_048_576;

const collect = garbageCollector();
/** Without garbage: other files of the worker leave memory that depends on their order. */
const usedMemory = (): number => {
  collect(Number.MAX_SAFE_INTEGER);
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** One object of 1 KiB each. */
const bytes = randomBytes(1_024);

describe('2 000 uploads that begin at once', () => {
  let api: BusinessApi;
  let world: MediaWorld;
  let replica: Awaited<ReturnType<BusinessApi['replica']>>;

  beforeAll(async () => {
    api = await BusinessApi.start({ STORAGE_QUOTA_BYTES: String(1_500 * bytes.length) });
    replica = await api.replica();
    world = await MediaWorld.of(api);
  });
  afterAll(async () => {
    await replica.close();
    await api.stop();
  });

  const files = () =>
    api.test.database.query<{ id: string; status: string }>('SELECT id, status FROM media.file');

  it('are each accepted or refused for the quota, counted exactly, and lose no row', async () => {
    const { token } = api.person(world.organizationId);
    const other = callOf(replica.url, { authorization: `Bearer ${token}` });
    const before = usedMemory();
    const begun = await Promise.all(
      Array.from({ length: UPLOADS }, (_, n) => world.begin(bytes, {}, n % 2 ? other : world.call)),
    );
    const refused = begun.filter(({ status }) => status !== 200);
    for (const { status, headers } of refused) {
      expect([413, 503]).toContain(status);
      if (status === 503) expect(headers.get('retry-after')).toBeTruthy();
    }
    const accepted = begun.filter(({ status }) => status === 200);
    const ids = accepted.map(({ body }: ApiResponse) => body.media.id as string);
    expect(ids.length).toBeGreaterThan(0);
    expect((await files()).map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(await storedBytes(api.test.database, world.organizationId)).toBe(ids.length * bytes.length);
    expect(usedMemory() - before).toBeLessThan(100 * MIB);

    const uploaded = accepted.slice(0, 200);
    await Promise.all(uploaded.map(({ body }) => put(body.upload, bytes)));
    const completed = await Promise.all(uploaded.map(({ body }) => world.complete(body.media.id)));
    expect(completed.map(({ status }) => status)).toEqual(uploaded.map(() => 200));
    expect((await files()).filter(({ status }) => status === 'inspecting')).toHaveLength(200);
  });
});
