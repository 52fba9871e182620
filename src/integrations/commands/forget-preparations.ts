import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { PreparationsStore } from '../preparations/preparations.store.js';

/** For posts that are settled; takes part in the caller's transaction. */
export class ForgetPreparations extends Command<void> {
  constructor(readonly postIds: readonly string[]) {
    super();
  }
}

@CommandHandler(ForgetPreparations)
export class ForgetPreparationsHandler implements ICommandHandler<ForgetPreparations> {
  constructor(private readonly preparations: PreparationsStore) {}

  execute({ postIds }: ForgetPreparations): Promise<void> {
    return this.preparations.forget(postIds);
  }
}
