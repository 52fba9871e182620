import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { PreparationsStore } from '../preparations/preparations.store.js';

export interface TakeBackPreparationRequest {
  readonly postId: string;
  readonly attemptId: string;
}

/**
 * Ends the preparation of an attempt whose worker is gone.
 * @returns true: the attempt did not begin the irreversible call, and no longer can. The next attempt of the same content continues
 *   with its steps. false: nothing is known.
 */
export class TakeBackPreparation extends Command<boolean> {
  constructor(readonly request: TakeBackPreparationRequest) {
    super();
  }
}

@CommandHandler(TakeBackPreparation)
export class TakeBackPreparationHandler implements ICommandHandler<TakeBackPreparation> {
  constructor(private readonly preparations: PreparationsStore) {}

  execute({ request: { postId, attemptId } }: TakeBackPreparation): Promise<boolean> {
    return this.preparations.takeBack(postId, attemptId);
  }
}
