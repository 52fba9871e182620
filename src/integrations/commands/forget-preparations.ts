import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { PreparationToForget } from '../preparations/preparations.store.js';
import { PreparationsStore } from '../preparations/preparations.store.js';

export interface ForgetPreparationsRequest {
  readonly posts: readonly PreparationToForget[];
}

/** Of posts that are settled, and of content that is not what is sent; takes part in the caller's transaction. */
export class ForgetPreparations extends Command<void> {
  constructor(readonly request: ForgetPreparationsRequest) {
    super();
  }
}

@CommandHandler(ForgetPreparations)
export class ForgetPreparationsHandler implements ICommandHandler<ForgetPreparations> {
  constructor(private readonly preparations: PreparationsStore) {}

  execute({ request: { posts } }: ForgetPreparations): Promise<void> {
    return this.preparations.forget(posts);
  }
}
