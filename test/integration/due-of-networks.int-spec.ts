import { randomUUIDv7 } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { Platform } from '#libs/content';
import { FixedClock } from '#libs/clock/testing';
import { Database, dataSourceOptions } from '#libs/database';
import { createBrands, createPosts } from '../../bench/support/content.js';
import { PublishCandidatesStore } from '../../src/posts/publishing/candidates.store.js';
import { Quarantine } from '../../src/posts/publishing/quarantine.js';
import { BlocksRead, explainStatements } from '../../bench/support/blocks-read.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const [x, threads] = ['x', 'threads'] as Platform[] as [Platform, Platform];
const FEW = { routes: 2, posts: 8, attemptsOfMs: 40_000 };

describe('a network with thousands of due posts', () => {
  let test: TestDatabase;
  let database: Database;
  let candidates: PublishCandidatesStore;
  let many: string;

  const due = async (platform: Platform, count: number, ago: string) => {
    const [brandId, organizationId] = [randomUUIDv7(), randomUUIDv7()];
    await createBrands(test.database, [{ id: brandId, organizationId }]);
    const posts = Array.from({ length: count }, () => ({
      ...{ brandId, authorId: randomUUIDv7() },
      scheduledAt: new Date(Date.now() + 60_000).toISOString(),
    }));
    await test.database.query(
      'UPDATE posts.publication SET platform = $2, due_at = now() - $3::interval WHERE post_id = ANY ($1)',
      [await createPosts(test.database, posts), platform, ago],
    );
    return organizationId;
  };

  beforeAll(async () => {
    test = await createTestDatabase();
    await explainStatements(test);
    const options = dataSourceOptions({ ...test.settings, poolSize: 1 }, []);
    database = new Database(await new DataSource(options).initialize());
    candidates = new PublishCandidatesStore(database, new Quarantine(new FixedClock()));
    many = await due(x, 2_000, '1 hour');
    await due(threads, 3, '1 minute');
    await test.database.query('VACUUM ANALYZE posts.publication');
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await test.drop();
  });

  const found = async (request: Partial<Parameters<PublishCandidatesStore['due']>[0]>) => {
    const { candidates: posts, more } = await candidates.due({ ...FEW, ...request });
    return [...posts.map(({ platform }) => platform), 'and more of', ...more];
  };

  it('hides no later post of another one', async () => {
    expect(await found({})).toEqual([x, x, threads, threads, 'and more of', x, threads]);
    expect(await found({ routes: 3, only: [threads] })).toEqual([threads, threads, threads, 'and more of']);
    expect(await found({ posts: null, skip: 2 })).toEqual([x, x, threads, 'and more of', x]);
  });

  it('is counted up to a number', async () => {
    const blocks = new BlocksRead(database);
    expect(await candidates.counts(10_000)).toEqual({ due: 2_003, late: 2_003 });
    expect(await candidates.counts(100)).toEqual({ due: 100, late: 100 });
    const [statement] = await blocks.during(() => candidates.counts(100));
    expect(statement?.rows).toBeLessThan(1_000);
  });

  it('is read past the posts of an organization that is left out', async () => {
    const exceptOrganizations = [{ platform: x, organizationId: many }];
    expect(await found({ exceptOrganizations })).toEqual([threads, threads, 'and more of', threads]);
    await due(x, 1, '1 second');
    expect(await found({ exceptOrganizations })).toEqual([threads, threads, x, 'and more of', threads]);
    expect(await found({ exceptOrganizations: [{ platform: threads, organizationId: many }] })).toEqual(
      await found({}),
    );
  });

  it('is not read when its slots are full', async () => {
    const blocks = new BlocksRead(database);
    expect(await blocks.of(() => candidates.due({ ...FEW, except: [x] }))).toBeLessThan(100);
    expect(await found({ except: [x, threads] })).toEqual(['and more of']);
  });
});
