import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Platform } from '#libs/content';
import { RequestCommand } from '#libs/messages';
import { NetworkOutages } from '../outages/network-outages.store.js';

/**
 * Claims the right to send one post to each of these networks, which finds out whether its outage is over. One at a time over all
 * workers. The outcome of `DeliverPost` ends the claim.
 * @returns the networks that the caller probes
 */
export class ClaimProbes extends RequestCommand<
  {
    readonly platforms: readonly Platform[];
    /** Milliseconds after which another worker may probe, should the caller end without a report. */
    readonly forMs: number;
  },
  ReadonlySet<Platform>
> {}

@CommandHandler(ClaimProbes)
export class ClaimProbesHandler implements ICommandHandler<ClaimProbes> {
  constructor(private readonly outages: NetworkOutages) {}

  execute({ request: { platforms, forMs } }: ClaimProbes): Promise<ReadonlySet<Platform>> {
    return this.outages.claimProbes(platforms, forMs);
  }
}

/** Ends claims of `ClaimProbes` for which no post was sent: another post may probe at once. */
export class ReleaseProbes extends Command<void> {
  constructor(readonly platforms: readonly Platform[]) {
    super();
  }
}

@CommandHandler(ReleaseProbes)
export class ReleaseProbesHandler implements ICommandHandler<ReleaseProbes> {
  constructor(private readonly outages: NetworkOutages) {}

  execute({ platforms }: ReleaseProbes): Promise<void> {
    return this.outages.releaseProbes(platforms);
  }
}
