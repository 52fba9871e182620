import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { Resolution } from '../delivery.js';
import { resolve } from '../delivery.js';
import type { WrittenPost } from '../post-item.js';
import { byOf, PostsAccess } from '../posts.access.js';
import { Posts } from '../posts.stream.js';

export interface ResolvedDelivery {
  readonly postId: string;
  readonly resolution: Resolution;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/** Somebody looked at the account: the post is there, or it is not. */
export class ResolveDelivery extends Command<WrittenPost> {
  constructor(readonly request: ResolvedDelivery) {
    super();
  }
}

@CommandHandler(ResolveDelivery)
export class ResolveDeliveryHandler implements ICommandHandler<ResolveDelivery> {
  constructor(
    private readonly access: PostsAccess,
    private readonly posts: Posts,
  ) {}

  async execute({ request }: ResolveDelivery): Promise<WrittenPost> {
    const { postId, resolution, caller, ifVersion } = request;
    const reached = await this.access.reach(postId, caller, 'posts.write');
    return this.posts.decide(reached, () => resolve(resolution, byOf(caller)), ifVersion);
  }
}
