import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { actorOf, PostsAccess } from './posts.access.js';
import { remove } from '../domain/scheduling.js';

export interface DeletePostRequest {
  readonly postId: string;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/** Deletes a post here, never on the network; its history stays in the audit. */
export class DeletePost extends Command<void> {
  constructor(readonly request: DeletePostRequest) {
    super();
  }
}

@CommandHandler(DeletePost)
export class DeletePostHandler implements ICommandHandler<DeletePost> {
  constructor(private readonly access: PostsAccess) {}

  async execute({ request: { postId, caller, ifVersion } }: DeletePost): Promise<void> {
    const change = { postId, caller, scopes: ['posts.write'], ifVersion };
    await this.access.change(change, () => () => remove(actorOf(caller)));
  }
}
