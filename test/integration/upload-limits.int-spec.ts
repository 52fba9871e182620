import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { Leases } from '#libs/due-work';
import { StorageQuota, UploadSlots } from '#libs/uploads';
import { FAKE_INTERVALS } from '../support/fake-intervals.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const LIMITS = { perCaller: 3, perProcess: 10, deadlineMs: 60_000, minBytesPerSecond: 0, quotaBytes: 1_000 };
/** How long a slot is leased. */
const LEASE_MS = 15_000;

describe('limits of uploads', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  const slots = (more: Partial<typeof LIMITS> = {}) =>
    new UploadSlots(test.database, new Leases(), { ...LIMITS, ...more });

  /** Uploads that are under way until they are let go. */
  const gate = () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    return { work: () => promise, open: () => resolve('done') };
  };

  it('admit as many concurrent requests of a caller as there are slots, over two replicas', async () => {
    const replicas = [slots(), slots()];
    const { work, open } = gate();
    const caller = `user:${randomUUID()}`;
    let refused = 0;
    const begun = Array.from({ length: 12 }, async (_, at) => {
      const attempt = replicas[at % 2]?.hold(caller, work);
      await attempt?.catch((error: { code: string }) => {
        expect(error.code).toBe('too_many_uploads');
        refused++;
      });
    });
    await waitUntil(() => refused === 9);
    await expect(slots().hold(`user:${randomUUID()}`, () => Promise.resolve('other'))).resolves.toBe('other');
    open();
    await Promise.all(begun);
    expect(refused).toBe(9);
    await expect(slots().hold(caller, () => Promise.resolve('next'))).resolves.toBe('next');
  });

  it('leave the outcome of an upload as it is when its slot cannot be given back', async () => {
    const leases = new Leases();
    leases.release = () => Promise.reject(new Error('The database is gone.'));
    const holding = new UploadSlots(test.database, leases, LIMITS).hold(`user:${randomUUID()}`, () =>
      Promise.resolve('stored'),
    );
    await expect(holding).resolves.toBe('stored');
  });

  it('free the slots of a process that died, after their time', async () => {
    const caller = `user:${randomUUID()}`;
    const { work, open } = gate();
    const held = [1, 2, 3].map(() => slots().hold(caller, work));
    const keys = () =>
      test.database.query('SELECT FROM due_work.lease WHERE key LIKE $1', [`upload:${caller}:%`]);
    await waitUntil(async () => (await keys()).length === 3);
    await expect(slots().hold(caller, work)).rejects.toMatchObject({ code: 'too_many_uploads' });
    await test.database.query(`UPDATE due_work.lease SET until = now() WHERE key LIKE $1`, [
      `upload:${caller}:%`,
    ]);
    await expect(slots().hold(caller, () => Promise.resolve('next'))).resolves.toBe('next');
    open();
    await Promise.all(held);
  });

  it('hold the slot of an upload while it runs', async () => {
    jest.useFakeTimers(FAKE_INTERVALS);
    const caller = `user:${randomUUID()}`;
    const { work, open } = gate();
    const only = slots({ perCaller: 1 });
    const holding = only.hold(caller, work);
    const key = `upload:${caller}:0`;
    const isHeld = async () => (await new Leases().held(test.database, [key])).size > 0;
    await waitUntil(isHeld);
    for (let renewal = 1; renewal <= 3; renewal++) {
      await test.database.query('UPDATE due_work.lease SET until = now() WHERE key = $1', [key]);
      expect(await isHeld()).toBe(false);
      jest.advanceTimersByTime(LEASE_MS - 1);
      await waitUntil(isHeld, 10_000);
      await expect(only.hold(caller, work)).rejects.toMatchObject({ code: 'too_many_uploads' });
    }
    open();
    await holding;
    expect(await isHeld()).toBe(false);
  });

  it('limit a process over all callers, also when work fails', async () => {
    const process = slots({ perProcess: 1 });
    const { work, open } = gate();
    const first = process.hold(`user:${randomUUID()}`, work);
    await expect(process.hold(`user:${randomUUID()}`, work)).rejects.toMatchObject({ code: 'uploads_busy' });
    open();
    await first;
    const failing = () => Promise.reject(new Error('no'));
    for (let at = 0; at < 4; at++) await expect(process.hold('user:x', failing)).rejects.toThrow('no');
  });

  it('count bytes of concurrent transactions, up to the quota', async () => {
    const organization = randomUUID();
    const quota = new StorageQuota(test.database, LIMITS);
    const add = (bytes: number) =>
      test.database.transaction(async (transaction) => {
        await transaction.query('SELECT uploads.count_bytes($1, $2)', [organization, bytes]);
        await quota.assertWithinQuota(transaction, organization);
      });
    const added = await Promise.allSettled(Array.from({ length: 8 }, () => add(300)));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await expect(quota.assertSpaceFor(organization, 101)).rejects.toMatchObject({
      code: 'storage_quota_exceeded',
      kind: 'too-large',
      members: { quotaBytes: 1_000 },
    });
    await expect(quota.assertSpaceFor(organization, 100)).resolves.toBeUndefined();
    await add(-600);
    await expect(quota.assertSpaceFor(organization, 700)).resolves.toBeUndefined();
  });
});
