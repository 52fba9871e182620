import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { loadConfig } from '#libs/config';
import { UsedTime } from '#libs/concurrency';
import { Database, DatabaseIsUnavailable } from '#libs/database';
import { ObjectStorage, ObjectStorageConfig } from '#libs/object-storage';
import { StorageQuota, UploadsAreBusy } from '#libs/uploads';
import { RecordInspection } from '../../src/media/commands/record-inspection.js';
import type { InspectedFacts } from '../../src/media/inspection/domain/inspection.types.js';
import { type GeneratedFile, StoreGeneratedFile } from '../../src/media/index.js';
import { BytesToStore } from '../../src/media/generated/bytes-to-store.js';
import { StoreWaitingBytes } from '../../src/media/generated/store-waiting-bytes.worker.js';
import { type ClaimedInTurn, WaitingBytes } from '../../src/media/generated/waiting-bytes.store.js';
import { MediaObjects } from '../../src/media/media-objects.store.js';
import { BusinessApi } from '../support/business-api.js';
import { manifestStore, signedPng } from '../support/credentials.js';
import { eventually } from '../support/eventually.js';
import { MediaWorld } from '../support/media-world.js';
import { OwnStorage } from '../support/object-storage.js';
import { aPicture } from '../support/pictures.js';

/** The parts of a worker that bring bytes to a store. */
class Mover {
  readonly storage: ObjectStorage;
  readonly waiting: WaitingBytes;
  readonly toStore: BytesToStore;
  private readonly worker: StoreWaitingBytes;

  constructor(database: Database, store: OwnStorage) {
    this.storage = new ObjectStorage(loadConfig(ObjectStorageConfig, store.environment));
    this.waiting = new WaitingBytes(database);
    const objects = new MediaObjects(database, this.storage);
    this.toStore = new BytesToStore(database, this.storage, objects, this.waiting);
    this.worker = new StoreWaitingBytes(this.waiting, this.toStore);
  }

  start(): void {
    this.worker.onApplicationBootstrap();
  }

  async stop(): Promise<void> {
    await this.worker.beforeApplicationShutdown();
    this.storage.onApplicationShutdown();
  }
}

describe('a generated file', () => {
  let api: BusinessApi;
  let world: MediaWorld;
  /** Of workers; that of the API is down. */
  let store: OwnStorage;
  let movers: Mover[];

  beforeAll(async () => {
    const down = await OwnStorage.start();
    await down.remove();
    store = await OwnStorage.start();
    api = await BusinessApi.start({ ...down.environment, S3_TIMEOUT_MS: '500' });
  });
  beforeEach(async () => {
    movers = [];
    world = await MediaWorld.of(api);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(movers.map((mover) => mover.stop()));
    await api.test.database.query('DELETE FROM media.waiting_bytes');
  });
  afterAll(async () => {
    await api.stop();
    await store.remove();
  });

  const mover = () => {
    const one = new Mover(api.test.database, store);
    movers.push(one);
    return one;
  };
  const generate = async (changes: Partial<GeneratedFile> = {}) => {
    const file: GeneratedFile = {
      brandId: world.brandId,
      organizationId: world.organizationId,
      bytes: await aPicture(40, 30),
      contentType: 'image/png',
      fileName: 'A lighthouse.png',
      generation: {
        prompt: 'A lighthouse\0\ud800',
        revisedPrompt: null,
        model: 'openai/painter',
        requestedModel: 'openai/painter',
        cost: '0.04',
        attempts: [],
        requestId: randomUUID(),
      },
      createdBy: { created_by_type: 'user', created_by: randomUUID() },
      alongside: () => Promise.resolve(),
      ...changes,
    };
    return api.service.app.get(CommandBus, { strict: false }).execute(new StoreGeneratedFile(file));
  };
  const row = async (id: string) => {
    const [found] = await api.test.database.query<Record<string, unknown>>(
      `SELECT status, etag, object_key, inspect_due_at IS NOT NULL AS due, (SELECT count(*)::int FROM media.waiting_bytes
       WHERE media_id = id) AS waiting FROM media.file WHERE id = $1`,
      [id],
    );
    return found;
  };
  /** The claims of their processes have ended. */
  const endClaims = () => api.test.database.query('UPDATE media.waiting_bytes SET due_at = now()');
  const objects = (id: string) => store.files(`media/${id}/`);

  it('is kept while the store is down, and stored once when it is back', async () => {
    const { id, status } = await generate();
    expect(status).toBe('inspecting');
    expect(await row(id)).toMatchObject({ status: 'inspecting', etag: null, due: false, waiting: 1 });
    await endClaims();
    for (const one of [mover(), mover()]) one.start();
    await eventually(async () => expect(await row(id)).toMatchObject({ due: true, waiting: 0 }));
    const stored = await row(id);
    expect(await objects(id)).toEqual([stored?.object_key]);
    expect((await world.call('GET', `/api/media/${id}`)).body.generation.prompt).toBe('A lighthouse\ufffd');
  });

  it('is generated, whatever its inspection reads', async () => {
    const { id, aiMark } = await generate();
    await endClaims();
    mover().start();
    await eventually(async () => expect(await row(id)).toMatchObject({ due: true }));
    const etag = String((await row(id))?.etag);
    const facts = { kind: 'image', width: 40, height: 30 } as InspectedFacts;
    const outcome = {
      kind: 'accepted',
      contentType: 'image/png',
      facts,
      thumbnailKey: null,
      previewKey: null,
    } as const;
    const inspected = new RecordInspection({ mediaId: id, etag, outcome: { ...outcome, aiMark: 'none' } });
    await api.service.app.get(CommandBus, { strict: false }).execute(inspected);
    const { body } = await world.call('GET', `/api/media/${id}`);
    expect([aiMark, body.status, body.aiMark]).toEqual(['generated', 'ready', 'generated']);
  });

  it('keeps the bytes that its model signed', async () => {
    const bytes = signedPng(await aPicture(40, 30), manifestStore('trainedAlgorithmicMedia'));
    const { id, aiMark } = await generate({ bytes });
    const [waiting] = await api.test.database.query<{ content: Buffer }>(
      'SELECT bytes AS content FROM media.waiting_bytes WHERE media_id = $1',
      [id],
    );
    expect([waiting?.content.equals(bytes), aiMark]).toEqual([true, 'generated']);
  });

  it('is counted while it waits for the store', async () => {
    await generate();
    const [file] = await api.test.database.query<{ bytes: string }>(
      'SELECT sum(file.bytes) AS bytes FROM media.file JOIN media.waiting_bytes ON media_id = id',
    );
    const counts = await new WaitingBytes(api.test.database).counts();
    expect(counts).toEqual({ files: 1, bytes: Number(file?.bytes), oldestSeconds: expect.any(Number) });
  });

  it('is stored after other uploads of the organization, however long they take', async () => {
    const quota = api.service.app.get(StorageQuota, { strict: false });
    const inTurn = jest.spyOn(quota, 'inTurn').mockRejectedValueOnce(new UploadsAreBusy());
    const { id } = await generate();
    expect(inTurn).toHaveBeenCalledTimes(2);
    expect(await row(id)).toMatchObject({ status: 'inspecting' });
  });

  it('is taken over when the claim of its process has ended', async () => {
    const { id } = await generate();
    await endClaims();
    const [dead, other] = [mover(), mover()];
    expect(await dead.waiting.take(5)).toHaveLength(1);
    expect(await other.waiting.take(5)).toEqual([]);
    await endClaims();
    other.start();
    await eventually(async () => expect(await row(id)).toMatchObject({ due: true, waiting: 0 }));
  });

  it('is stored in turns of organizations by the time that each used', async () => {
    const one = { brandId: world.brandId, organizationId: world.organizationId };
    const { brandId, organizationId } = await MediaWorld.of(api);
    const names = new Map<string, string>();
    for (const [name, owner] of [
      ['one', one],
      ['other', { brandId, organizationId }],
      ['other again', { brandId, organizationId }],
      ['one again', one],
    ] as const)
      names.set((await generate(owner)).id, name);
    await api.test.database.query(
      `UPDATE media.waiting_bytes SET due_at = file.created_at - interval '1 hour' FROM media.file WHERE id = media_id`,
    );
    const { waiting } = mover();
    const used = new UsedTime();
    const taken: ClaimedInTurn[] = [];
    for (let count = 0; count < 4; count += 1) {
      const [claimed] = await waiting.take(1, used.leastFirst());
      const { end } = used.begin(claimed?.organizationId ?? '');
      // The work of all but the first goes on.
      if (count === 0) end();
      taken.push(claimed as ClaimedInTurn);
    }
    expect(taken.map(({ mediaId }) => names.get(mediaId))).toEqual([
      'one',
      'other',
      'one again',
      'other again',
    ]);
  });

  it('keeps its object when a late process stores it again', async () => {
    const { id } = await generate();
    await endClaims();
    const [late, other] = [mover(), mover()];
    const [slow] = await late.waiting.take(5);
    await endClaims();
    const [taken] = await other.waiting.take(5);
    if (!slow || !taken) throw new Error('Both have claimed it.');
    expect(await other.toStore.move(taken)).toBe(true);
    const stored = await row(id);
    expect(await late.waiting.renew(slow)).toBe(false);
    expect(await late.toStore.move(slow)).toBe(false);
    expect(await row(id)).toEqual(stored);
    expect(await objects(id)).toEqual([stored?.object_key]);
  });

  it('leaves no object when it is deleted on the way to the store', async () => {
    const { id } = await generate();
    await endClaims();
    const one = mover();
    const [claimed] = await one.waiting.take(5);
    if (!claimed) throw new Error('It is claimed.');
    expect((await world.call('DELETE', `/api/media/${id}`)).status).toBe(204);
    expect(await one.toStore.move(claimed)).toBe(false);
    expect(await objects(id)).toEqual([]);
  });

  it('is stored once when the answer to the commit is lost', async () => {
    const database = api.service.app.get(Database, { strict: false });
    const transaction = database.transaction.bind(database);
    let isLost = false;
    jest.spyOn(database, 'transaction').mockImplementation(async (work) => {
      const answer = await transaction(work);
      if (isLost) return answer;
      isLost = true;
      throw new DatabaseIsUnavailable(new Error('The connection was lost at COMMIT.'));
    });
    const { id } = await generate();
    expect(isLost).toBe(true);
    const { body } = await world.call('GET', `/api/media?brandId=${world.brandId}`);
    expect(body.data.map((file: { id: string }) => file.id)).toEqual([id]);
  });

  it.each([
    ['half of it', async () => (await aPicture(40, 30)).subarray(0, 1_000), 'media_not_readable'],
    ['of another type', () => aPicture(40, 30, { format: 'jpeg' }), 'media_type_does_not_match'],
    ['no picture', () => Promise.resolve(Buffer.from('<html>')), 'media_type_not_supported'],
  ] as const)('is refused: %s', async (_, bytes, code) => {
    await expect(generate({ bytes: await bytes() })).rejects.toMatchObject({ kind: 'bad-gateway', code });
    expect((await world.call('GET', `/api/media?brandId=${world.brandId}`)).body.data).toEqual([]);
  });

  it('does not go to a brand that another organization has now', async () => {
    await expect(generate({ organizationId: randomUUID() })).rejects.toMatchObject({
      code: 'brand_not_found',
    });
  });
});
