import type { PublishingProvider } from '../provider.js';
import type { PrepareResponse } from '../domain/provider-publishing.js';
import { PreparePost } from './prepare-post.js';
import type { PostToPrepare } from './prepare-post.js';

const next: PrepareResponse = { kind: 'next', step: 'upload' };
const ready: PrepareResponse = { kind: 'ready' };

/** @param mayTake how many times the sender's lease is found to be safe */
async function prepare(answers: Iterable<PrepareResponse>, { mayTake = Infinity, maxSteps = 1_000 } = {}) {
  const given = [...answers];
  let [calls, asked] = [0, 0];
  const provider = {
    prepare: () => Promise.resolve(given[calls++] ?? next),
  } as unknown as PublishingProvider;
  const preparations = {
    begin: () =>
      Promise.resolve({
        step: 'reserve',
        prepared: { ids: {}, addresses: {}, notes: {}, ageMs: 0 },
        waitedMs: 0,
      }),
    save: () => Promise.resolve('2026-01-15T10:00:00.000Z'),
  };
  const post = {
    ...{ key: {}, call: {}, firstStep: 'reserve', maxSteps, journal: () => Promise.resolve() },
    maySend: () => (asked += 1) <= mayTake,
  } as unknown as PostToPrepare;
  const result = await new PreparePost({} as never, preparations as never).run(provider, post);
  return { result, calls };
}

describe('the steps before a post is published', () => {
  it('are counted, and lead to the irreversible call', async () => {
    expect(await prepare([next, ready])).toMatchObject({ result: { kind: 'ready', steps: 2 }, calls: 2 });
  });

  it('do not lead to the irreversible call when the lease ends with the last of them', async () => {
    const { result } = await prepare([next, ready], { mayTake: 3 });
    expect(result).toMatchObject({ kind: 'stopped', why: { kind: 'abandoned' } });
  });

  it('end when a network asks for more of them without end', async () => {
    const { result, calls } = await prepare([], { maxSteps: 5 });
    expect(result).toMatchObject({ why: { kind: 'failed', failure: { code: 'network_steps_exceeded' } } });
    expect(calls).toBe(5);
  });
});
