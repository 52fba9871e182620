import { DatabaseIsUnavailable } from '#libs/database';
import type { LoadedPost, PostChange, PublisherPosts } from './publisher-posts.js';
import { putBackUnsent } from './unsent-attempts.js';

const scheduledAt = '2026-01-15T10:00:00.000Z';
const attempt = { postId: 'p', attemptId: 'a', organizationId: 'o', version: 2 };
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

describe('attempts of a claim that failed while it was stored', () => {
  /** @param looks what each look reads; afterwards the last of them again */
  const putBack = async (looks: readonly (LoadedPost | null | Error)[]) => {
    const stored: PostChange[] = [];
    let look = 0;
    const posts = {
      load: () => {
        const found = looks[Math.min(look++, looks.length - 1)];
        if (found instanceof Error) return Promise.reject(found);
        return Promise.resolve(new Map(found ? [['p', found]] : []));
      },
      store: (changes: PostChange[]) => Promise.resolve(stored.push(...changes)).then(() => []),
    };
    let waitedMs = 0;
    const pause = (milliseconds: number) => Promise.resolve((waitedMs += milliseconds));
    await putBackUnsent(posts as unknown as PublisherPosts, [attempt], pause);
    return { stored: stored.map(({ from, events }) => [from.version, events[0]]), looks: look, waitedMs };
  };
  const heldUntilDue = expect.objectContaining({
    type: 'PostHeld',
    data: expect.objectContaining({ attemptId: 'a', until: scheduledAt }),
  });

  it('are put back once, with the due time that the post has', async () => {
    const { stored, looks } = await putBack([postAt(3, 'a'), postAt(4, null)]);
    expect(stored).toEqual([[3, heldUntilDue]]);
    expect(looks).toBe(2);
  });

  it('are put back after an outage, and when the database stores the claim late', async () => {
    const { stored } = await putBack([away, away, postAt(2, null), postAt(3, 'a'), postAt(4, null)]);
    expect(stored).toEqual([[3, heldUntilDue]]);
  });

  it.each([
    ['another attempt has begun', postAt(3, 'another')],
    ['a person changed the post', postAt(3, null)],
    ['the post was deleted', null],
  ])('are left alone when %s', async (_, found) => {
    expect(await putBack([found])).toMatchObject({ stored: [], looks: 1 });
  });

  it('are looked for during ten seconds while nothing shows what became of the claim', async () => {
    expect(await putBack([postAt(2, null)])).toMatchObject({ stored: [], waitedMs: 10_000 });
  });
});
