import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FollowUp, StreamChange } from '#libs/event-store';
import { EndMediaUses, UseMedia } from '../../media/index.js';
import { changesMediaUses, isScheduled, mediaUsesOf } from '../domain/media-uses.js';
import type { PostEvent } from '../domain/post.events.js';
import { type ExistingPost, exists, type Post } from '../domain/post.js';
import { PostRenditions } from './post-renditions.js';

type Change = StreamChange<Post, PostEvent>;

/**
 * Keeps the uses of the media library equal to the files of posts, in the transaction of each change: a file that an unpublished
 * post needs cannot be deleted. Has their renditions made ahead of publishing. docs/design/media.md
 */
@Injectable()
export class MediaFollowUp implements FollowUp<Post, PostEvent> {
  constructor(
    private readonly commands: CommandBus,
    private readonly renditions: PostRenditions,
  ) {}

  concerns({ before, state, events }: Change): boolean {
    return changesMediaUses(before, state, events);
  }

  /** @throws MediaIsNotUsable (409) if a file was deleted since it was checked */
  async run(changes: readonly Change[]): Promise<void> {
    const published = changes.filter(({ state }) => exists(state) && state.status === 'published');
    if (published.length > 0)
      await this.commands.execute(new EndMediaUses({ postIds: published.map(({ id }) => id) }));
    for (const change of changes) if (!published.includes(change)) await this.use(change);
  }

  private async use({ id: postId, before, state, events }: Change): Promise<void> {
    const { brandId } = (exists(state) ? state : before) as ExistingPost;
    await this.commands.execute(new UseMedia({ postId, brandId, ...mediaUsesOf(state) }));
    if (exists(state)) await this.renditions.prepare(state, isScheduled(events));
  }
}
