import { setImmediate as nothingRuns } from 'node:timers/promises';
import { DatabaseIsUnavailable } from '#libs/database';
import type { LoadedPost, PublishingChange, PublisherPosts, StoreResult } from './publisher-posts.js';
import { UnsentAttempts } from './unsent-attempts.js';

const scheduledAt = '2026-01-15T10:00:00.000Z';
const dueAt = '2026-01-15T10:15:00.000Z';
const attempt = { postId: 'p', attemptId: 'a', organizationId: 'o', version: 2, dueAt };
const away = new DatabaseIsUnavailable(new Error('gone'));

/** A post as it is read at one look; null: it does not exist any more. */
const postAt = (version: number, attemptId: string | null) =>
  ({
    version,
    state: {
      ...{ id: 'p', brandId: 'b', status: 'scheduled', scheduledAt, held: null },
      attempt: attemptId && { attemptId },
    },
  }) as unknown as LoadedPost;

type Look = LoadedPost | null | Error;

/** @param looks what each look reads; at the last of them the process is about to end */
const started = (looks: readonly Look[], answer: StoreResult = {} as StoreResult) => {
  const stored: PublishingChange[] = [];
  const loads: (readonly string[])[] = [];
  const pauses: number[] = [];
  const posts = {
    load: (postIds: readonly string[]) => {
      loads.push(postIds);
      const found = looks[loads.length - 1];
      if (found instanceof Error) return Promise.reject(found);
      return Promise.resolve(new Map(found ? [['p', found]] : []));
    },
    store: (changes: PublishingChange[]) => Promise.resolve(stored.push(...changes)).then(() => [answer]),
  };
  const sleep = (milliseconds: number) => {
    if (pauses.push(milliseconds) === looks.length) void unsent.end();
    return Promise.resolve(false);
  };
  const alarm = { ring: () => undefined, sleep };
  const unsent = new UnsentAttempts(posts as unknown as PublisherPosts, alarm);
  return { unsent, stored, loads, pauses };
};

describe('attempts of a claim that failed while it was stored', () => {
  const putBack = async (looks: readonly Look[], answer?: StoreResult) => {
    const { unsent, stored, loads, pauses } = started(looks, answer);
    unsent.add([attempt]);
    await nothingRuns();
    return {
      stored: stored.map(({ from, events }) => [from.version, events[0]]),
      looks: loads.length,
      pauses,
    };
  };
  const heldUntilDue = expect.objectContaining({
    type: 'PostHeld',
    data: expect.objectContaining({ attemptId: 'a', until: dueAt }),
  });

  it('are put back once, with the due time that the post had', async () => {
    const { stored, looks } = await putBack([postAt(3, 'a'), postAt(4, null)]);
    expect(stored).toEqual([[3, heldUntilDue]]);
    expect(looks).toBe(1);
  });

  it('are put back after an outage, and when the database stores the claim late', async () => {
    const { stored } = await putBack([away, away, postAt(2, null), postAt(3, 'a')]);
    expect(stored).toEqual([[3, heldUntilDue]]);
  });

  it.each([
    ['another attempt has begun', postAt(3, 'another')],
    ['a person changed the post', postAt(3, null)],
    ['the post was deleted', null],
  ])('are left alone when %s', async (_, found) => {
    expect(await putBack([found, found])).toMatchObject({ stored: [], looks: 1 });
  });

  it('are left to a takeover when the database refuses to put them back', async () => {
    expect(await putBack([postAt(3, 'a'), postAt(3, 'a')], 'refused')).toMatchObject({ looks: 1 });
  });

  it('are looked for, with growing pauses, while the claim may still be stored', async () => {
    const looks = Array.from({ length: 60 }, () => postAt(2, null));
    const { stored, pauses } = await putBack([...looks, postAt(3, 'a')]);
    expect(stored).toEqual([[3, heldUntilDue]]);
    expect(pauses.slice(0, 7)).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  it('are looked for once more when the process ends, after an outage too', async () => {
    const { unsent, loads } = started([away, away, postAt(2, null), postAt(3, 'a')]);
    unsent.add([attempt]);
    await unsent.end();
    expect(loads).toHaveLength(3);
  });

  it('are read together, each post once', async () => {
    const { unsent, loads } = started([postAt(2, null)]);
    for (const attemptId of ['a', 'b', 'c']) unsent.add([{ ...attempt, attemptId }]);
    await nothingRuns();
    expect(loads).toEqual([['p']]);
  });
});
