import { type Database, DatabaseIsUnavailable } from '#libs/database';
import { type Changed, StreamHasMoved } from '#libs/event-store';
import type { Posts } from '../posts.stream.js';
import { type Batch, PublisherPosts, type PublishingChange } from './publisher-posts.js';
import type { Quarantine } from './quarantine.js';

const locked = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
const refused = Object.assign(new Error('unsupported Unicode escape sequence'), { code: '22P05' });
const away = new DatabaseIsUnavailable(new Error('gone'));
const from = { state: { status: 'scheduled', brandId: 'b' } };
const changeOf = (postId: string) =>
  ({ postId, organizationId: 'o', from, events: [] }) as unknown as PublishingChange;

describe('changes of posts of which one is refused', () => {
  const unused = undefined as never;
  const quarantined: string[] = [];
  const quarantine = { add: (postId: string) => quarantined.push(postId) } as unknown as Quarantine;
  const batch: Batch<PublishingChange> = { changesOf: (items) => Promise.resolve(items) };
  beforeEach(() => quarantined.splice(0));

  /** @param errors by the post that has them. The last post is refused. */
  const store = (postIds: readonly string[], errors: Record<string, Error>) => {
    const database = {
      transaction: (work: (transaction: unknown) => unknown) => work({}),
      afterCommit: () => undefined,
    } as unknown as Database;
    const changeMany = (_: unknown, changes: { id: string }[]) => {
      const error = changes.length > 1 ? refused : errors[changes[0]?.id ?? ''];
      if (error) return Promise.reject(error);
      return Promise.resolve(changes.map(({ id }) => ({ id, events: [] }) as unknown as Changed<never>));
    };
    const commands = { execute: () => Promise.resolve() } as never;
    const posts = new PublisherPosts(
      database,
      { changeMany } as unknown as Posts,
      commands,
      unused,
      quarantine,
    );
    return posts.store([...postIds, 'odd'].map(changeOf), batch);
  };
  const stored = expect.objectContaining({ events: [] });

  it('are stored, and the refused one goes to quarantine', async () => {
    expect(await store(['a', 'b'], { odd: refused })).toEqual([stored, stored, 'refused']);
    expect(quarantined).toEqual(['odd']);
  });

  it('do not wait for one whose row is locked', async () => {
    const answers = await store(['a', 'b'], { a: locked, odd: refused });
    expect(answers).toEqual(['unknown', stored, 'refused']);
  });

  it('are tried later once the database is away, or has failed three times', async () => {
    expect(await store(['a', 'b', 'c'], { b: away })).toEqual([stored, 'unknown', 'unknown', 'unknown']);
    const errors = { b: locked, c: locked, d: locked };
    const answers = await store(['a', 'b', 'c', 'd'], errors);
    expect(answers).toEqual([stored, ...Array.from({ length: 4 }, () => 'unknown')]);
  });

  it('fail when the database does before any is stored', async () => {
    await expect(store(['a', 'b'], { a: away })).rejects.toBe(away);
  });
});

describe('a change of a post that other writers change all the time', () => {
  it('is given up, and the post stays out of quarantine', async () => {
    const unused = undefined as never;
    const moved = {
      change: () => Promise.reject(new StreamHasMoved('p', 3, 4, 'version')),
    } as unknown as Posts;
    const posts = new PublisherPosts(unused, moved, unused, unused, unused);
    expect(await posts.change(changeOf('p'), () => [])).toBe(false);
  });
});
