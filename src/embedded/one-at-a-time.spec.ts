import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf, claim } from './one-at-a-time.js';
import { Refusal } from './refusal.js';

describe('the claim on a data folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claimed-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is given to one of those that ask at once', async () => {
    const asked = await Promise.allSettled([claim(folder), claim(folder), claim(folder)]);
    const held = asked.filter((one) => one.status === 'fulfilled');
    expect(held).toHaveLength(1);
    for (const one of asked) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(Refusal);
    await held[0]?.value.release();
  });

  it('is free again after it was given back', async () => {
    await (await claim(folder)).release();
    await (await claim(folder)).release();
  });

  it('is free again after its holder was killed', async () => {
    const script = `require('node:net').createServer().listen(${JSON.stringify(addressOf(folder))}, () => console.log('up'))`;
    const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    await expect(claim(folder)).rejects.toThrow(Refusal);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    await (await claim(folder)).release();
  });
});
