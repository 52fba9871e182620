import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { FixedClock } from '#libs/clock/testing';
import { DomainError } from '#libs/errors';
import { EventStore, Projections, Reactions } from '#libs/event-store';
import { anEventMetadata } from '#libs/event-store/testing';
import type { BrandEvent } from '../../src/brands/domain/brand.events.js';
import { type Brand, brandAggregate, change, create, transfer } from '../../src/brands/domain/brand.js';
import { brandProjection } from '../../src/brands/queries/brand.view.js';
import { postAggregate } from '../../src/posts/domain/evolve.js';
import { postProjection } from '../../src/posts/views/post.projection.js';
import { Brands } from '../../src/brands/brands.stream.js';
import { Posts } from '../../src/posts/posts.stream.js';
import { PublishCandidatesStore } from '../../src/posts/publishing/candidates.store.js';
import { Quarantine } from '../../src/posts/publishing/quarantine.js';
import { aBeginning, after, someTries } from '../support/post-decisions.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let test: TestDatabase;
let posts: Posts;
let brands: Brands;
let projections: Projections;
beforeAll(async () => {
  test = await createTestDatabase();
  const store = new EventStore(test.database);
  posts = new Posts(test.database, store, { concerns: () => false, run: () => Promise.resolve() });
  brands = new Brands(test.database, store);
  projections = new Projections(test.database, store, new Reactions(test.database, store), () => [
    { aggregate: postAggregate, view: postProjection },
    { aggregate: brandAggregate, view: brandProjection },
  ]);
});
afterAll(() => test.drop());

const context = anEventMetadata();
const TABLES = ['posts.post_view', 'posts.publication', 'brands.brand_view'];

/** All rows as text, in an order of their own. */
async function everything(): Promise<string[]> {
  const tables = await Promise.all(
    TABLES.map((table) =>
      test.database.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t ORDER BY 1`),
    ),
  );
  return tables.flat().map(({ row }) => row);
}

async function tolerating(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

describe('what is read and due', () => {
  it('is complete when nothing is due, so that an idle worker queries once', async () => {
    const none = await new PublishCandidatesStore(test.database, new Quarantine(new FixedClock())).due({
      routes: 2,
      posts: 8,
      attemptsOfMs: 40_000,
    });
    expect(none).toEqual({ candidates: [], more: [] });
  });

  it('is byte for byte the result of a rebuild for every history', async () => {
    await fc.assert(
      fc.asyncProperty(aBeginning, someTries, async (begin, tries) => {
        const postId = randomUUID();
        let clock = '2026-01-15T12:00:00.000Z';
        await posts.create(postId, () => begin({ postId, brandId: randomUUID() }, clock), context);
        for (const { decide } of tries) {
          clock = after(clock, 10);
          const now = clock;
          await tolerating(() => posts.change(postId, () => decide(now), context));
        }
      }),
      { numRuns: 60 },
    );
    for (let n = 0; n < 5; n += 1) {
      const id = randomUUID();
      const brand = { id, organizationId: randomUUID(), name: `B${n}`, timezone: 'UTC' };
      await brands.create(id, () => create(brand), context);
      const decide = (decision: (known: Brand) => BrandEvent[]) =>
        brands.change(id, () => (state) => decision(state as Brand), context);
      await decide(change({ name: `C${n}`, timezone: 'Asia/Tokyo' }));
      await decide(transfer(randomUUID()));
    }
    const live = await everything();
    expect(live.length).toBeGreaterThan(20);
    await projections.rebuild();
    expect(await everything()).toEqual(live);
    await projections.rebuild('posts');
    expect(await everything()).toEqual(live);
  });

  it('has one due row for each scheduled post and none for any other', async () => {
    const rows = await test.database.query(
      `SELECT FROM posts.post_view v FULL JOIN posts.publication p ON p.post_id = v.id
       WHERE (v.status = 'scheduled') IS DISTINCT FROM (p.post_id IS NOT NULL) OR v.id IS NULL
         OR (p.post_id IS NOT NULL AND (p.version <> v.version OR p.scheduled_at <> v.scheduled_at
           OR p.due_at <> greatest(p.scheduled_at, p.held_until)))`,
    );
    expect(rows).toEqual([]);
  });

  it('leaves nothing behind when the transaction of a change is rolled back', async () => {
    const before = await everything();
    const postId = randomUUID();
    const [begin] = fc.sample(aBeginning, 1);
    await expect(
      test.database.transaction(async () => {
        await posts.create(
          postId,
          () => begin!({ postId, brandId: randomUUID() }, '2026-01-15T12:00:00.000Z'),
          context,
        );
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await everything()).toEqual(before);
  });
});
