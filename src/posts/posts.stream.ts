import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { Changed } from '#libs/event-store';
import { EventStore, Stream } from '#libs/event-store';
import { postAggregate } from './domain/post.aggregate.js';
import { detailsOf } from './views/post-details.js';
import type { WrittenPost } from './views/post-item.js';
import type { PostEvent } from './domain/post.events.js';
import type { Post } from './domain/post.js';
import { mustExist } from './domain/post.js';
import { postProjection } from './views/post.projection.js';

/** The event-sourced posts. */
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
