import type { DeliveryFile } from '#libs/content';
import { MemoryFile } from '../../../test/support/memory-file.js';
import { GrantedLimits } from '../limits/granted-limits.js';
import { NetworkLimits } from '../limits/network-limits.js';
import type { PublishingProvider } from '../provider.types.js';
import type { PrepareResponse } from '../domain/provider-publishing.js';
import { type PostToPrepare, PreparePost } from './prepare-post.js';

const next: PrepareResponse = { kind: 'next', step: 'upload' };
const ready: PrepareResponse = { kind: 'ready' };

/** @param mayTake how many times the sender's lease is found to be safe */
async function prepare(
  answers: Iterable<PrepareResponse>,
  { mayTake = Infinity, maxSteps = 1_000, files = [] as readonly DeliveryFile[] } = {},
) {
  const given = [...answers];
  let [calls, asked] = [0, 0];
  let begun: string | null | undefined;
  const provider = {
    prepare: () => Promise.resolve(given[calls++] ?? next),
    limits: () => [],
  } as unknown as PublishingProvider;
  const preparations = {
    begin: (_key: unknown, _step: string, identity: string | null) => {
      begun = identity;
      return Promise.resolve({
        step: 'reserve',
        prepared: { ids: {}, addresses: {}, notes: {}, ageMs: 0 },
        waitedMs: 0,
      });
    },
    save: () => Promise.resolve('2026-01-15T10:00:00.000Z'),
  };
  const post = {
    ...{ key: {}, call: { files }, firstStep: 'reserve', maxSteps, journal: () => Promise.resolve() },
    maySend: () => (asked += 1) <= mayTake,
  } as unknown as PostToPrepare;
  const published = new GrantedLimits({ granted: '' }, {} as never);
  const unlimited = new NetworkLimits(published, {} as never, {} as never, {} as never);
  const steps = new PreparePost({} as never, preparations as never, unlimited);
  const result = await steps.run(provider, post);
  return { result, calls, begun };
}

describe('the steps before a post is published', () => {
  it('are counted, and lead to the irreversible call', async () => {
    expect(await prepare([next, ready])).toMatchObject({ result: { kind: 'ready', steps: 2 }, calls: 2 });
  });

  it('do not lead to the irreversible call when the lease ends with the last of them', async () => {
    const { result } = await prepare([next, ready], { mayTake: 3 });
    expect(result).toMatchObject({ kind: 'stopped', why: { kind: 'abandoned' } });
  });

  it('are begun for the bytes of the files: others of the same content are not mixed with them', async () => {
    const file = (revision: string) => new MemoryFile(Buffer.from('12'), { revision });
    const begunFor = async (...files: readonly DeliveryFile[]) => (await prepare([ready], { files })).begun;
    const [one, two] = [file('r1'), file('r2')];
    expect(await begunFor(one, two)).toBe(await begunFor(one, two));
    const all = [await begunFor(), await begunFor(one), await begunFor(one, two), await begunFor(two, one)];
    expect([all[0], new Set(all).size]).toEqual([null, 4]);
  });

  it('end when a network asks for more of them without end', async () => {
    const { result, calls } = await prepare([], { maxSteps: 5 });
    expect(result).toMatchObject({ why: { kind: 'failed', failure: { code: 'network_steps_exceeded' } } });
    expect(calls).toBe(5);
  });
});
