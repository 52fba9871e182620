import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { Changed, EventMetadata, Loaded } from '#libs/event-store';
import { EventStore, Stream } from '#libs/event-store';
import { postAggregate } from './domain/post.aggregate.js';
import { detailsOf } from './views/post-details.js';
import type { WrittenPost } from './views/post-item.js';
import type { PostEvent } from './domain/post.events.js';
import type { ExistingPost, Post } from './domain/post.js';
import { mustExist } from './domain/post.js';
import { postProjection } from './views/post.projection.js';

/** A post that the caller may change, and where it belongs just now. */
export interface AuthorizedPost {
  readonly post: ExistingPost;
  readonly organizationId: string;
  /** May the caller give it its time? */
  readonly maySchedule: boolean;
  readonly context: EventMetadata;
  /** What it was folded from. */
  readonly from: Loaded<Post>;
}

/** What handlers and the publisher decide on. */
@Injectable()
export class Posts extends Stream<Post, PostEvent> {
  constructor(database: Database, store: EventStore) {
    super(database, store, postAggregate, postProjection);
  }
}

export const writtenPostOf = ({ state, version }: Changed<Post>, organizationId: string): WrittenPost => ({
  ...detailsOf(mustExist(state), version),
  organizationId,
});
