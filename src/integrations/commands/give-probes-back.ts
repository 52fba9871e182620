import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Platform } from '#libs/content';
import { NetworkOutages } from '../outages/network-outages.store.js';

/** Ends claims of `ClaimProbes` for which no post was sent: another post may probe at once. */
export class GiveProbesBack extends Command<void> {
  constructor(readonly platforms: readonly Platform[]) {
    super();
  }
}

@CommandHandler(GiveProbesBack)
export class GiveProbesBackHandler implements ICommandHandler<GiveProbesBack> {
  constructor(private readonly outages: NetworkOutages) {}

  execute({ platforms }: GiveProbesBack): Promise<void> {
    return this.outages.giveProbesBack(platforms);
  }
}
