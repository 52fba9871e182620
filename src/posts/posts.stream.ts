import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { ChangeContext, Changed, Instant } from '#libs/event-store';
import { EventStore, Stream } from '#libs/event-store';
import { postAggregate } from './aggregate.js';
import type { PostDetails } from './post-details.js';
import { detailsOf } from './post-details.js';
import type { PostEvent } from './post.events.js';
import type { Post } from './post.js';
import { mustExist } from './post.js';
import { postProjection } from './post.projection.js';

/** What handlers and the publisher decide on. */
@Injectable()
export class Posts extends Stream<Post, PostEvent> {
  constructor(database: Database, store: EventStore) {
    super(database, store, postAggregate, postProjection);
  }

  /** `change`, answered as readers would see the post. @throws PostNotFound when it is gone afterwards */
  async decide(
    id: string,
    decision: (now: Instant) => (post: Post) => PostEvent[],
    context: ChangeContext<Post>,
    ifVersion?: number,
  ): Promise<PostDetails> {
    return describe(await this.change(id, decision, context, { ifVersion }));
  }
}

export const describe = ({ state, version }: Changed<Post>): PostDetails =>
  detailsOf(mustExist(state), version);
