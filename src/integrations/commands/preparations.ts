import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RequestCommand } from '#libs/messages';
import { type ObsoletePreparation, PreparationsStore } from '../preparations/preparations.store.js';

/**
 * Ends the preparation of an attempt whose worker is gone.
 * @returns true: the attempt did not begin the irreversible call, and no longer can. The next attempt of the same content continues
 *   with its steps. false: nothing is known.
 */
export class ReclaimPreparation extends RequestCommand<
  {
    readonly postId: string;
    readonly attemptId: string;
  },
  boolean
> {}

@CommandHandler(ReclaimPreparation)
export class ReclaimPreparationHandler implements ICommandHandler<ReclaimPreparation> {
  constructor(private readonly preparations: PreparationsStore) {}

  execute({ request: { postId, attemptId } }: ReclaimPreparation): Promise<boolean> {
    return this.preparations.reclaim(postId, attemptId);
  }
}

/** Deletes what was prepared for settled posts, and for content that is not what is sent, in the caller's transaction. */
export class DeletePreparations extends RequestCommand<
  {
    readonly posts: readonly ObsoletePreparation[];
  },
  void
> {}

@CommandHandler(DeletePreparations)
export class DeletePreparationsHandler implements ICommandHandler<DeletePreparations> {
  constructor(private readonly preparations: PreparationsStore) {}

  execute({ request: { posts } }: DeletePreparations): Promise<void> {
    return this.preparations.delete(posts);
  }
}
