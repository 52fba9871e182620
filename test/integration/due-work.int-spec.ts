import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ClaimIsLost, Leases } from '#libs/due-work';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

describe('leases', () => {
  let test: TestDatabase;
  const mine = new Leases();
  const theirs = new Leases();

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.database.query('TRUNCATE due_work.lease'));
  afterAll(() => test.drop());

  const MINUTE = 60_000;
  const isHeld = async (key: string, fence: string) => {
    const sql = `SELECT FROM due_work.lease WHERE key = $1 AND fence = $2 AND until > clock_timestamp()`;
    return (await test.database.query(sql, [key, fence])).length > 0;
  };

  it('gives each key to one of 16 concurrent claimants', async () => {
    const keys = Array.from({ length: 50 }, (_, n) => `account:${n}`);
    const workers = Array.from({ length: 16 }, () => new Leases());
    const got = await Promise.all(
      workers.map((worker, n) => worker.acquire(test.database, n % 2 ? keys : keys.toReversed(), MINUTE)),
    );
    const taken = got.flatMap((leases) => [...leases.keys()]);
    expect(taken.toSorted()).toEqual(keys.toSorted());
    const fences = got.flatMap((leases) => [...leases.values()]);
    expect(new Set(fences).size).toBe(50);
  });

  it('omits held keys, its own included, and returns each key once', async () => {
    await theirs.acquire(test.database, ['a'], MINUTE);
    const first = await mine.acquire(test.database, ['a', 'b', 'b'], MINUTE);
    expect([...first.keys()]).toEqual(['b']);
    expect((await mine.acquire(test.database, ['a', 'b'], MINUTE)).size).toBe(0);
  });

  it('an expired lease is taken over, with a higher fence, and its former holder can do nothing with it', async () => {
    const lost = await mine.acquire(test.database, ['a'], 20);
    await sleep(40);
    const won = await theirs.acquire(test.database, ['a'], MINUTE);
    const [before, after] = [lost.get('a'), won.get('a')] as [string, string];
    expect(BigInt(after)).toBeGreaterThan(BigInt(before));
    expect(await isHeld('a', before)).toBe(false);
    expect(await mine.renew(test.database, lost, MINUTE)).toEqual(new Set());
    await mine.release(test.database, lost);
    expect(await isHeld('a', after)).toBe(true);
  });

  it('an expired free lease can be renewed, but is not held until then', async () => {
    const held = await mine.acquire(test.database, ['a'], 10);
    await sleep(30);
    expect(await isHeld('a', held.get('a') as string)).toBe(false);
    expect(await mine.renew(test.database, held, MINUTE)).toEqual(new Set(['a']));
    expect(await isHeld('a', held.get('a') as string)).toBe(true);
  });

  it('a released lease is free at once, and fencing tokens never repeat', async () => {
    const first = await mine.acquire(test.database, ['a'], MINUTE);
    await mine.release(test.database, first);
    const second = await theirs.acquire(test.database, ['a'], MINUTE);
    expect(BigInt(second.get('a') as string)).toBeGreaterThan(BigInt(first.get('a') as string));
    expect(await isHeld('a', first.get('a') as string)).toBe(false);
  });

  it('given back together with a lost one of the same key, only the one that is held is free', async () => {
    const lost = await mine.acquire(test.database, ['a'], 10);
    await sleep(30);
    const held = await mine.acquire(test.database, ['a', 'b'], MINUTE);
    const b = held.get('b') as string;
    await mine.release(test.database, [...lost, ['b', b]]);
    expect(await isHeld('a', held.get('a') as string)).toBe(true);
    expect((await theirs.acquire(test.database, ['a', 'b'], MINUTE)).has('b')).toBe(true);
    await mine.release(test.database, [...lost, ...held]);
    expect((await theirs.acquire(test.database, ['a'], MINUTE)).size).toBe(1);
  });

  it('are renewed and given back at the same time without waiting for each other in a circle', async () => {
    const keys = Array.from({ length: 200 }, (_, n) => `account:${n}`);
    for (let round = 0; round < 10; round += 1) {
      const held = await mine.acquire(test.database, keys, MINUTE);
      const backwards = new Map([...held].toReversed());
      await Promise.all([
        ...Array.from({ length: 4 }, () => mine.renew(test.database, held, MINUTE)),
        ...Array.from({ length: 4 }, () => mine.renew(test.database, backwards, MINUTE)),
        mine.release(test.database, backwards),
      ]);
    }
    expect((await theirs.acquire(test.database, keys, MINUTE)).size).toBe(200);
  });

  it('taken in a transaction that is rolled back, it was never taken', async () => {
    const attempt = test.database.transaction(async (tx) => {
      await mine.acquire(tx, ['a'], MINUTE);
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    expect((await theirs.acquire(test.database, ['a'], MINUTE)).size).toBe(1);
  });

  it('leaves the outcome of the work as it is when it cannot be released', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const leases = new Leases();
    leases.release = () => Promise.reject(new Error('The database is gone.'));
    const run = (key: string, work: () => Promise<string>) =>
      leases.whileHeld(test.database, key, MINUTE, work);
    await expect(run('a', () => Promise.resolve('done'))).resolves.toBe('done');
    await expect(run('b', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('tells its work when another process has taken it over', async () => {
    const lost = await mine.whileHeld(test.database, 'a', 40, async (signal) => {
      await test.database.query('TRUNCATE due_work.lease');
      await waitUntil(() => signal.aborted);
      return signal.reason as Error;
    });
    expect(lost).toBeInstanceOf(ClaimIsLost);
  });

  it('expires by the database’s clock: a replica whose clock is years ahead takes nothing', async () => {
    await mine.acquire(test.database, ['a'], MINUTE);
    const real = Date.now;
    Date.now = () => real() + 10 * 365 * 24 * 3_600_000;
    try {
      expect((await theirs.acquire(test.database, ['a'], MINUTE)).size).toBe(0);
    } finally {
      Date.now = real;
    }
  });
});
