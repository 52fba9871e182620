import { randomUUID } from 'node:crypto';
import { loadConfig } from '#libs/config';
import { QuotaLedger } from '../../src/platform/gateway/video/quota/quota-ledger.js';
import { QuotaConfig } from '../../src/platform/gateway/video/quota/quota.config.js';
import { VideoQuotaIsExhausted } from '../../src/platform/gateway/video/video.errors.js';
import { quotaDay, resetAfter } from '../../src/platform/gateway/video/quota/quota.sql.js';
import { ExpirySweep } from '../../src/platform/gateway/video/expiry.sweep.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('the quota ledger of the video provider', () => {
  let test: TestDatabase;
  const attribution = () => ({
    applicationId: randomUUID(),
    application: 'social-publishing',
    organizationId: randomUUID(),
    userId: null,
  });
  const ledgerOf = (variables: Record<string, string> = {}) =>
    new QuotaLedger(test.database, loadConfig(QuotaConfig, variables));

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  const bucketsOf = async (ledger: QuotaLedger) => {
    const { buckets } = await ledger.usageOf(attribution());
    return Object.fromEntries(buckets.map(({ bucket, ...rest }) => [bucket, rest]));
  };
  const statesOf = (organizationId: string) =>
    test.database
      .query<{ state: string }>('SELECT state FROM gateway.video_quota_entry WHERE organization_id = $1', [
        organizationId,
      ])
      .then((rows) => rows.map(({ state }) => state));

  it('is never exceeded, however many replicas reserve at once', async () => {
    const variables = { YOUTUBE_PROJECT: 'crowded', YOUTUBE_UPLOADS_PER_DAY: '7' };
    const replicas = [ledgerOf(variables), ledgerOf(variables)] as const;
    const asked = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        replicas[index % 2 === 0 ? 0 : 1].reserve('videos.insert', attribution()),
      ),
    );
    const refusals = asked.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown);
    expect(refusals).toHaveLength(33);
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(VideoQuotaIsExhausted);
    expect(await bucketsOf(ledgerOf(variables))).toMatchObject({
      uploads: { limit: 7, used: 7, remaining: 0 },
    });
  });

  it('gives back what was not sent, and nothing twice', async () => {
    const ledger = ledgerOf({ YOUTUBE_PROJECT: 'returns' });
    const by = attribution();
    const [sent, notSent] = [
      await ledger.reserve('videos.insert', by),
      await ledger.reserve('videos.insert', by),
    ];
    await ledger.release(notSent);
    await ledger.release(notSent);
    await ledger.settle(sent, 'unknown');
    await ledger.release(sent);
    expect(await bucketsOf(ledger)).toMatchObject({ uploads: { used: 1, remaining: 99 } });
    expect((await statesOf(by.organizationId)).sort()).toEqual(['released', 'unknown']);
  });

  it('shows each application what it used for an organization', async () => {
    const ledger = ledgerOf({ YOUTUBE_PROJECT: 'bills' });
    const [mine, theirs] = [attribution(), attribution()];
    await ledger.reserve('videos.insert', mine);
    await ledger.reserve('videos.insert', mine);
    await ledger.reserve('channels.list', theirs);
    const { usage, day, resetsAt } = await ledger.usageOf(mine);
    expect(usage).toEqual([{ call: 'videos.insert', bucket: 'uploads', calls: 2, units: 2 }]);
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(resetsAt.getTime()).toBeGreaterThan(Date.now());
    expect((await ledger.usageOf({ ...mine, applicationId: theirs.applicationId })).usage).toEqual([]);
  });

  it('counts by the older table when it is configured', async () => {
    const ledger = ledgerOf({ YOUTUBE_PROJECT: 'older', YOUTUBE_QUOTA_TABLE: 'units' });
    for (let upload = 0; upload < 6; upload += 1) await ledger.reserve('videos.insert', attribution());
    await expect(ledger.reserve('videos.insert', attribution())).rejects.toThrow(VideoQuotaIsExhausted);
    await ledger.reserve('channels.list', attribution());
    expect(await bucketsOf(ledger)).toEqual({ units: { limit: 10_000, used: 9_601, remaining: 399 } });
  });

  describe('belongs to the project of a credential', () => {
    const credential = (organizationId: string | null, project: string, more: Record<string, unknown> = {}) =>
      test.database.query(
        `INSERT INTO gateway.credential
           (id, provider, organization_id, position, label, data_key, secret, hint, project, enabled, created_by)
         VALUES ($1, 'youtube', $2, $3, 'Project', '', '', '', $4, $5, 'operator')`,
        [randomUUID(), organizationId, more.position ?? 1, project, more.enabled ?? true],
      );
    afterEach(() => test.database.query('DELETE FROM gateway.credential'));

    it('of the platform, in place of the configured one', async () => {
      const ledger = ledgerOf({ YOUTUBE_PROJECT: 'configured' });
      await credential(null, 'second', { position: 2 });
      await credential(null, 'disabled', { enabled: false });
      await credential(null, 'of-the-platform');
      await ledger.reserve('videos.insert', attribution());
      const usage = await ledger.usageOf(attribution());
      expect(usage.project).toBe('of-the-platform');
      expect(usage.buckets).toContainEqual({ bucket: 'uploads', limit: 100, used: 1, remaining: 99 });
      await test.database.query('DELETE FROM gateway.credential');
      expect((await ledger.usageOf(attribution())).project).toBe('configured');
    });

    it('of the platform, whatever project an organization names: all tokens are of the platform', async () => {
      const ledger = ledgerOf({ YOUTUBE_PROJECT: 'for-all' });
      const [mine, theirs] = [attribution(), attribution()];
      await credential(mine.organizationId, 'another');
      await ledger.reserve('videos.insert', mine);
      expect(await bucketsOf(ledger)).toMatchObject({ uploads: { used: 1, remaining: 99 } });
      expect((await ledger.usageOf(mine)).project).toBe('for-all');
      await ledger.exhaust('videos.insert', await ledger.reserve('videos.insert', theirs));
      await test.database.query(`UPDATE gateway.credential SET project = 'renamed'`);
      await expect(ledger.reserve('videos.insert', mine)).rejects.toThrow(VideoQuotaIsExhausted);
    });

    it('that was in use when a call began, also when the credential changes before it ends', async () => {
      const ledger = ledgerOf({ YOUTUBE_PROJECT: 'fallback' });
      await credential(null, 'former');
      const [refused, notSent] = [
        await ledger.reserve('videos.insert', attribution()),
        await ledger.reserve('videos.insert', attribution()),
      ];
      await test.database.query('DELETE FROM gateway.credential');
      await ledger.exhaust('videos.insert', refused);
      await ledger.release(notSent);
      expect(await bucketsOf(ledger)).toMatchObject({ uploads: { used: 0, remaining: 100 } });
      await credential(null, 'former');
      expect(await bucketsOf(ledger)).toMatchObject({ uploads: { used: 1, remaining: 0 } });
    });
  });

  it('keeps the units of a call whose process ended', async () => {
    const ledger = ledgerOf({ YOUTUBE_PROJECT: 'killed' });
    const by = attribution();
    await ledger.reserve('videos.insert', by);
    const sweep = new ExpirySweep(test.database);
    await sweep.sweep();
    expect(await statesOf(by.organizationId)).toEqual(['reserved']);
    await test.database.query(
      `UPDATE gateway.video_quota_entry SET created_at = now() - interval '11 minutes' WHERE organization_id = $1`,
      [by.organizationId],
    );
    await sweep.sweep();
    expect(await statesOf(by.organizationId)).toEqual(['unknown']);
    expect(await bucketsOf(ledger)).toMatchObject({ uploads: { used: 1 } });
  });

  it.each([
    ['winter', '2026-12-01T07:59:59Z', '2026-11-30', '2026-12-01T08:00:00.000Z', 24],
    ['summer', '2026-07-01T07:00:00Z', '2026-07-01', '2026-07-02T07:00:00.000Z', 24],
    ['the day of 25 hours', '2026-11-01T07:00:00Z', '2026-11-01', '2026-11-02T08:00:00.000Z', 25],
    ['its second 1 a.m.', '2026-11-01T09:30:00Z', '2026-11-01', '2026-11-02T08:00:00.000Z', 25],
    ['the day of 23 hours', '2027-03-14T08:00:00Z', '2027-03-14', '2027-03-15T07:00:00.000Z', 23],
  ])('begins a day at midnight Pacific time: %s', async (_, instant, day, reset, hours) => {
    const at = `'${instant}'::timestamptz`;
    const begin = `(${quotaDay(at)}::timestamp AT TIME ZONE 'America/Los_Angeles')`;
    const [row] = await test.database.query<{ day: string; reset: Date; hours: number }>(
      `SELECT ${quotaDay(at)}::text AS day, ${resetAfter(at)} AS reset,
              (extract(epoch FROM ${resetAfter(at)} - ${begin}) / 3600)::int AS hours`,
    );
    expect([row?.day, row?.reset.toISOString(), row?.hours]).toEqual([day, reset, hours]);
  });
});
