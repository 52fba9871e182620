import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Platform } from '#libs/content';
import { ClaimProbes, ReleaseProbes } from '../../integrations/index.js';
import type { Planned } from './plan.js';
import { PublishConfig } from './publish.config.js';

/** Networks that are down and to which one post is sent. */
@Injectable()
export class NetworkProbes {
  private readonly logger = new Logger(NetworkProbes.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly config: PublishConfig,
  ) {}

  /** Of the posts that would probe, those that this worker may send. No statement where no network is down. */
  async claim(planned: readonly Planned[]): Promise<ReadonlySet<Platform>> {
    const platforms = planned.flatMap(({ isProbe, platform }) => (isProbe ? platform : []));
    if (platforms.length === 0) return new Set();
    return this.commands.execute(new ClaimProbes({ platforms, forMs: this.config.abandonedAfterMs }));
  }

  /** Never throws: another post probes after a time. */
  async giveBack(platforms: readonly Platform[]): Promise<void> {
    if (platforms.length === 0) return;
    try {
      await this.commands.execute(new ReleaseProbes(platforms));
    } catch (error) {
      this.logger.warn(error, 'The right to probe a network could not be given back.');
    }
  }
}
