import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf, claim, turnFileOf } from './data-folder-claim.js';
import { Refusal } from './refusal.js';

describe('the claim on a data folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claimed-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const oneHolds = async (starts: number): Promise<void> => {
    const asked = await Promise.allSettled(Array.from({ length: starts }, () => claim(folder)));
    const held = asked.filter((one) => one.status === 'fulfilled');
    await Promise.all(held.map(({ value }) => value.release()));
    expect(held).toHaveLength(1);
    for (const one of asked) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(Refusal);
  };

  const killHolder = async (): Promise<void> => {
    const script = `require('node:net').createServer().listen(${JSON.stringify(addressOf(folder))}, () => console.log('up'))`;
    const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    await expect(claim(folder)).rejects.toThrow(Refusal);
    holder.kill('SIGKILL');
    await once(holder, 'close');
  };

  it('is given to one of those that ask at once', () => oneHolds(3));

  it('is free again after it was given back', async () => {
    await (await claim(folder)).release();
    await (await claim(folder)).release();
  });

  it('is free again after its holder was killed', async () => {
    await killHolder();
    await (await claim(folder)).release();
  });

  it('is taken over by one of those that find its holder killed at once', async () => {
    // Few of them find it at the same moment, and three may happen to follow one another.
    for (const starts of [3, 20]) {
      await killHolder();
      await oneHolds(starts);
    }
  });

  it('is not waited for when a start was killed while it asked', async () => {
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await writeFile(turnFileOf(folder), '');
    await utimes(turnFileOf(folder), anHourAgo, anHourAgo);
    await (await claim(folder)).release();
    await expect(access(turnFileOf(folder))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
