import { Inject, Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { type Changed, EventStore, type FollowUp, Stream } from '#libs/event-store';
import { postAggregate } from './domain/evolve.js';
import { MediaFollowUp } from './media/media-follow-up.js';
import { detailsOf } from './views/post-details.js';
import type { WrittenPost } from './views/post-item.js';
import type { PostEvent } from './domain/post.events.js';
import { mustExist, type Post } from './domain/post.js';
import { postProjection } from './views/post.projection.js';

/** The event-sourced posts. */
@Injectable()
export class Posts extends Stream<Post, PostEvent> {
  constructor(
    database: Database,
    store: EventStore,
    @Inject(MediaFollowUp) media: FollowUp<Post, PostEvent>,
  ) {
    super(database, store, postAggregate, postProjection, media);
  }
}

export const writtenPostOf = ({ state, version }: Changed<Post>, organizationId: string): WrittenPost => ({
  ...detailsOf(mustExist(state), version),
  organizationId,
});
