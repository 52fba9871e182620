import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { PreparationsStore } from '../preparations/preparations.store.js';

/**
 * Ends the preparation of an attempt whose worker is gone.
 * @returns true: the attempt did not begin the irreversible call, and no longer can. The next attempt of the same content continues
 *   with its steps. false: nothing is known.
 */
export class TakeBackPreparation extends Command<boolean> {
  constructor(
    readonly postId: string,
    readonly attemptId: string,
  ) {
    super();
  }
}

@CommandHandler(TakeBackPreparation)
export class TakeBackPreparationHandler implements ICommandHandler<TakeBackPreparation> {
  constructor(private readonly preparations: PreparationsStore) {}

  execute({ postId, attemptId }: TakeBackPreparation): Promise<boolean> {
    return this.preparations.takeBack(postId, attemptId);
  }
}
