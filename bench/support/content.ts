import { randomUUIDv7 } from 'node:crypto';
import type { Instant, Platform, PostOptions } from '#libs/content';
import type { Database } from '#libs/database';
import { EventStore } from '#libs/event-store';
import { brandAggregate, create as createBrand } from '../../src/brands/domain/brand.js';
import { brandProjection } from '../../src/brands/queries/brand.view.js';
import { postAggregate } from '../../src/posts/domain/evolve.js';
import { postProjection } from '../../src/posts/views/post.projection.js';
import { draft } from '../../src/posts/domain/writing.js';
import { METADATA } from './raw-insert.js';
import { createMany } from './create-many.js';

export interface NewBrand {
  readonly id: string;
  readonly organizationId: string;
}

export async function createBrands(database: Database, brands: readonly NewBrand[]): Promise<void> {
  const creations = brands.map((brand) => ({
    id: brand.id,
    events: createBrand({ ...brand, name: 'Acme', timezone: 'UTC' }),
    metadata: { ...METADATA, organizationId: brand.organizationId, brandId: brand.id },
  }));
  await createMany(database, { aggregate: brandAggregate, view: brandProjection }, creations);
}

export interface NewPost {
  readonly brandId: string;
  readonly authorId: string;
  /** null: a draft. */
  readonly scheduledAt: Instant | null;
  /** X unless given. */
  readonly platform?: string;
  /** Videos and pictures. */
  readonly mediaIds?: readonly string[];
  readonly options?: PostOptions;
  readonly title?: string | null;
}

/** @returns their ids, in order; the text of a post is `Post <id>`. */
export async function createPosts(database: Database, posts: readonly NewPost[]): Promise<string[]> {
  const now = await new EventStore(database).now();
  const creations = posts.map(
    ({ brandId, authorId, scheduledAt, platform = 'x', mediaIds = [], options, title = null }) => {
      const postId = randomUUIDv7();
      const text = `Post ${postId}`;
      const content = { text, title, mediaIds, link: null, target: {}, ...(options && { options }) };
      const by = { type: 'user', id: authorId } as const;
      const post = { postId, brandId, content, scheduledAt, by, blockers: [], thread: null };
      const events = draft({ ...post, platform: platform as Platform }, now)({ status: 'absent' });
      return { id: postId, events, metadata: { ...METADATA, brandId } };
    },
  );
  await createMany(database, { aggregate: postAggregate, view: postProjection }, creations);
  return creations.map(({ id }) => id);
}
