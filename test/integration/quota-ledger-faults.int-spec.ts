import { randomUUID } from 'node:crypto';
import { loadConfig } from '#libs/config';
import { type Database, DatabaseIsUnavailable } from '#libs/database';
import { GatewayConfig } from '../../src/platform/gateway/gateway.config.js';
import { QuotaLedger } from '../../src/platform/gateway/video/quota/quota-ledger.js';
import { QuotaConfig } from '../../src/platform/gateway/video/quota/quota.config.js';
import { VideoQuotaIsExhausted } from '../../src/platform/gateway/video/video.errors.js';
import type { BeginUploadDto } from '../../src/platform/gateway/video/upload.dto.js';
import { UploadsStore } from '../../src/platform/gateway/video/uploads.store.js';
import { VideoCalls } from '../../src/platform/gateway/video/video-calls.js';
import type { Youtube } from '../../src/platform/gateway/video/youtube.js';
import { DatabaseAt, LateDatabase, LosingDatabase } from '../support/faulty-databases.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const UPLOAD: BeginUploadDto = {
  title: 'How we roast',
  description: 'Beans.',
  tags: [],
  categoryId: '22',
  privacy: 'private',
  madeForKids: false,
  containsSyntheticMedia: false,
  bytes: 5,
  contentType: 'video/mp4',
};
const SESSION = 'https://www.googleapis.com/upload/youtube/v3/videos?upload_id=secret';
const BEGUN = { kind: 'answered', status: 200, headers: { location: SESSION }, body: {} };
const QUOTA_EXCEEDED = {
  ...{ kind: 'answered', status: 403, headers: {} },
  body: { error: { errors: [{ reason: 'quotaExceeded' }] } },
};
const CONFIG = {
  GATEWAY_ENCRYPTION_KEYS: `k:${Buffer.alloc(32, 9).toString('base64')}`,
  GATEWAY_SHARED_TOKENS: 'x'.repeat(40),
};

describe('the quota of the video provider', () => {
  let test: TestDatabase;
  let project: string;
  const access = { token: 'token', attribution: anAttribution() };
  const { attribution } = access;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());
  beforeEach(async () => {
    project = `p-${randomUUID()}`;
    await test.database.query('DELETE FROM gateway.video_upload');
    await test.database.query('DELETE FROM gateway.video_quota_entry');
    await test.database.query('DELETE FROM gateway.credential');
  });

  const ledgerOn = (database: Database, perDay = 100) =>
    new QuotaLedger(
      database,
      loadConfig(QuotaConfig, { YOUTUBE_PROJECT: project, YOUTUBE_UPLOADS_PER_DAY: String(perDay) }),
    );
  /** @param answers of the provider, the last one for all later calls */
  const callsOn = (database: Database, ...answers: object[]) => {
    const next = () => Promise.resolve(answers.length > 1 ? answers.shift() : answers[0]);
    const youtube = { begin: next, send: next, probe: next, isSession: () => true };
    return new VideoCalls(
      youtube as unknown as Youtube,
      ledgerOn(database),
      new UploadsStore(database, loadConfig(GatewayConfig, CONFIG)),
    );
  };
  const used = () =>
    test.database.query<{ day: string; used: number; exhausted: boolean }>(
      `SELECT day::text, used::int, exhausted FROM gateway.video_quota WHERE project = $1 ORDER BY day`,
      [project],
    );
  const states = async () =>
    (await test.database.query<{ state: string }>('SELECT state FROM gateway.video_quota_entry')).map(
      ({ state }) => state,
    );

  describe('when the answer of a statement is lost', () => {
    it.each(['reserve_quota', 'settle_quota', 'release_quota', 'exhaust_quota'])(
      'counts once: %s',
      async (name) => {
        const ledger = ledgerOn(new LosingDatabase(test.database, name, 2), 3);
        const settled = await ledger.reserve('videos.insert', attribution);
        const notSent = await ledger.reserve('videos.insert', attribution);
        await ledger.settle(settled, 'done');
        await ledger.release(notSent);
        await ledger.exhaust('videos.insert', settled);
        expect((await states()).sort()).toEqual(['done', 'released']);
        expect(await used()).toMatchObject([{ used: 1, exhausted: true }]);
      },
    );

    it('grants the last unit to the call that took it', async () => {
      const ledger = ledgerOn(new LosingDatabase(test.database, 'reserve_quota', 1), 1);
      const { id } = await ledger.reserve('videos.insert', attribution);
      await expect(ledger.reserve('videos.insert', attribution)).rejects.toThrow(VideoQuotaIsExhausted);
      const rows = await test.database.query('SELECT id FROM gateway.video_quota_entry');
      expect(rows).toEqual([{ id }]);
    });

    it('finds what a late statement took', async () => {
      const ledger = ledgerOn(new LateDatabase(test.database, 'reserve_quota'), 1);
      const { id } = await ledger.reserve('videos.insert', attribution);
      expect(await test.database.query('SELECT id FROM gateway.video_quota_entry')).toEqual([{ id }]);
      expect(await used()).toMatchObject([{ used: 1 }]);
    });

    it('gives back what a call took that is not sent', async () => {
      const ledger = ledgerOn(new LosingDatabase(test.database, 'reserve_quota', 3), 1);
      await expect(ledger.reserve('videos.insert', attribution)).rejects.toThrow(DatabaseIsUnavailable);
      await waitUntil(async () => (await states())[0] === 'released');
      expect(await used()).toMatchObject([{ used: 0 }]);
    });

    it.each(['insert_upload', 'settle_quota', 'reserve_quota'])(
      'keeps the session that the provider gave: %s',
      async (name) => {
        const calls = callsOn(new LosingDatabase(test.database, name, 1), BEGUN);
        const id = await calls.begin(access, UPLOAD);
        expect(await test.database.query('SELECT id FROM gateway.video_upload')).toEqual([{ id }]);
        expect([await states(), await used()]).toMatchObject([['done'], [{ used: 1 }]]);
      },
    );

    it('keeps the session when the call cannot be settled: a sweep does', async () => {
      const calls = callsOn(new LosingDatabase(test.database, 'settle_quota', 99), BEGUN);
      const id = await calls.begin(access, UPLOAD);
      expect(await test.database.query('SELECT id FROM gateway.video_upload')).toEqual([{ id }]);
    });
  });

  describe('over midnight Pacific time', () => {
    it('closes the day that a call was debited to', async () => {
      const clock = new DatabaseAt(test.database, '2026-11-22T07:59:59Z');
      const ledger = ledgerOn(clock);
      const call = await ledger.reserve('videos.insert', attribution);
      clock.instant = '2026-11-22T08:00:01Z';
      const error = await ledger.exhaust('videos.insert', call);
      expect([error.retryAfterSeconds, error.members.resetsAt]).toEqual([1, '2026-11-22T08:00:00.000Z']);
      await ledger.reserve('videos.insert', attribution);
      expect(await used()).toEqual([
        { day: '2026-11-21', used: 1, exhausted: true },
        { day: '2026-11-22', used: 1, exhausted: false },
      ]);
    });

    it('closes the day of a part at the project of its begin', async () => {
      const clock = new DatabaseAt(test.database, '2026-11-22T07:59:59Z');
      const calls = callsOn(clock, BEGUN, QUOTA_EXCEEDED);
      const uploadId = await calls.begin(access, UPLOAD);
      await test.database.query(
        `INSERT INTO gateway.credential (id, provider, position, label, data_key, secret, hint, project, created_by)
         VALUES ($1, 'youtube', 1, 'Project', '', '', '', 'another', 'operator')`,
        [randomUUID()],
      );
      clock.instant = '2026-11-22T08:00:01Z';
      await expect(calls.probe(access, uploadId)).rejects.toThrow(VideoQuotaIsExhausted);
      expect(await used()).toEqual([
        { day: '2026-11-21', used: 1, exhausted: false },
        { day: '2026-11-22', used: 0, exhausted: true },
      ]);
      expect(
        await test.database.query(`SELECT FROM gateway.video_quota WHERE project = 'another'`),
      ).toHaveLength(0);
    });

    it('takes a refusal in the first minutes of a day for one of the day before, which ended later for the provider', async () => {
      const clock = new DatabaseAt(test.database, '2026-11-22T08:00:01Z');
      const [ledger, calls] = [ledgerOn(clock), callsOn(clock, QUOTA_EXCEEDED, BEGUN, QUOTA_EXCEEDED)];
      const refused = () => calls.begin(access, UPLOAD).catch((error: unknown) => error);
      const untilQuarter = { retryAfterSeconds: 899, members: { resetsAt: '2026-11-22T08:15:00.000Z' } };
      expect(await refused()).toMatchObject(untilQuarter);
      expect(await refused()).toMatchObject(untilQuarter);
      const remaining = async () => (await ledger.usageOf(attribution)).buckets[0]?.remaining;
      expect(await remaining()).toBe(0);
      clock.instant = '2026-11-22T08:15:00Z';
      expect(await remaining()).toBe(99);
      await calls.begin(access, UPLOAD);
      expect(await refused()).toMatchObject({ members: { resetsAt: '2026-11-23T08:00:00.000Z' } });
      await expect(ledger.reserve('videos.insert', attribution)).rejects.toMatchObject({
        members: { resetsAt: '2026-11-23T08:00:00.000Z' },
      });
    });

    it.each([
      ['25 hours', '2026-11-01T07:00:00Z', 25, '2026-11-02T07:59:59Z', '2026-11-02T08:00:00Z'],
      ['23 hours', '2027-03-14T08:00:00Z', 23, '2027-03-15T06:59:59Z', '2027-03-15T07:00:00Z'],
    ])('a day has %s', async (_, begin, hours, last, next) => {
      const clock = new DatabaseAt(test.database, begin);
      const ledger = ledgerOn(clock, 1);
      await ledger.reserve('videos.insert', attribution);
      const refused = () => ledger.reserve('videos.insert', attribution).catch((error: unknown) => error);
      expect(await refused()).toMatchObject({ retryAfterSeconds: hours * 3600 });
      clock.instant = last;
      expect(await refused()).toMatchObject({ retryAfterSeconds: 1 });
      expect((await ledger.usageOf(attribution)).resetsAt.toISOString()).toBe(next.replace('Z', '.000Z'));
      clock.instant = next;
      await ledger.reserve('videos.insert', attribution);
    });
  });
});

function anAttribution() {
  return {
    ...{ applicationId: randomUUID(), organizationId: randomUUID() },
    ...{ application: 'social-publishing', userId: null },
  };
}
