import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, ScopeIsMissing } from '#libs/auth';
import { Database } from '#libs/database';
import { RequestCommand } from '#libs/messages';
import { isPostId } from '../../integrations/index.js';
import { type Resolution, resolve } from '../domain/delivery.js';
import { OTHER_POST_WITH_PLATFORM_ID, LOCK_PLATFORM_POST_ID } from '../publishing/found-posts.js';
import { isUnconfirmed } from '../domain/guards.js';
import type { WrittenPost } from '../views/post-item.js';
import { PlatformPostIdIsNotValid, PlatformPostIdIsTaken } from '../domain/delivery.errors.js';
import { PostNotFound } from '../domain/post.errors.js';
import { actorOf, type AuthorizedPost, type PostRequest, PostsAccess } from './posts.access.js';

interface ResolvedDelivery extends PostRequest {
  readonly resolution: Resolution;
}

/**
 * A person checked the account on the network: the post is there or not.
 * @throws PostNotFound, ScopeIsMissing, PlatformPostIdIsNotValid, PlatformPostIdIsTaken, DeliveryIsNotUnconfirmed,
 * PublishingInProgress
 */
export class ResolveDelivery extends RequestCommand<ResolvedDelivery, WrittenPost> {}

@CommandHandler(ResolveDelivery)
export class ResolveDeliveryHandler implements ICommandHandler<ResolveDelivery> {
  constructor(
    private readonly database: Database,
    private readonly access: PostsAccess,
  ) {}

  async execute({ request }: ResolveDelivery): Promise<WrittenPost> {
    const { resolution, ...change } = request;
    const prepare = async ({ post }: AuthorizedPost) => {
      if (resolution.delivered && isUnconfirmed(post)) {
        const { platformPostId } = resolution;
        if (!isPostId(post.platform, platformPostId)) throw new PlatformPostIdIsNotValid();
        await this.refuseTaken(platformPostId, post.id, change.caller);
      }
      return () => resolve(resolution, actorOf(change.caller));
    };
    return this.database.transaction(() =>
      this.access.decide({ ...change, scopes: ['posts.write'] }, prepare),
    );
  }

  private async refuseTaken(platformPostId: string, postId: string, caller: Caller): Promise<void> {
    await this.database.query(LOCK_PLATFORM_POST_ID, [platformPostId]);
    const [other] = await this.database.query<{ postId: string }>(OTHER_POST_WITH_PLATFORM_ID, [
      platformPostId,
      postId,
    ]);
    if (!other) return;
    const seen = await this.access.authorize(other.postId, caller, 'posts.read').catch((error: unknown) => {
      if (error instanceof PostNotFound || error instanceof ScopeIsMissing) return null;
      throw error;
    });
    throw new PlatformPostIdIsTaken(seen === null ? null : other.postId);
  }
}
