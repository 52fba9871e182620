import type { FixedClock } from '#libs/clock/testing';
import type { NetworkCall } from '../../src/integrations/domain/provider-publishing.js';
import { PublishAttempts, subjectOf, type Taken } from './publish-attempts.js';
import type { StandInOfContainers } from './stand-in-of-containers.js';

/** Attempts to publish on a network that publishes containers. */
export class ContainerAttempts extends PublishAttempts<StandInOfContainers> {
  static async start(
    standIn: (clock: FixedClock) => Promise<StandInOfContainers>,
    clock: FixedClock,
  ): Promise<ContainerAttempts> {
    return new ContainerAttempts(await subjectOf(standIn, clock));
  }

  /** @param startedMsAgo by the clock of this machine, which the provider reads, or of the sandbox, whichever is behind */
  reconcile(call: NetworkCall, { prepared }: Pick<Taken, 'prepared'>, startedMsAgo = 1_000) {
    const { account, accessToken, organizationId, content } = call;
    const now = Math.min(Date.now(), this.clock.now().getTime());
    const since = new Date(now - startedMsAgo).toISOString();
    return this.provider.reconcile({ account, accessToken, organizationId, content, prepared, since });
  }

  /** An error of the Graph API instead of an effect. */
  refuse(route: string, code: number, subcode?: number, times = 1): Promise<number> {
    const body = JSON.stringify({ error: { message: 'No.', code, error_subcode: subcode } });
    return this.fault('answer-instead', route, { status: 400, body, times });
  }

  /** How many posts and containers have the text of this call. */
  async effects({ content: { text } }: NetworkCall): Promise<{ posts: number; containers: number }> {
    const [posts, containers] = await Promise.all(
      ['post.created', 'container.created'].map((kind) => this.standIn.effects(kind, text)),
    );
    return { posts: posts?.length ?? 0, containers: containers?.length ?? 0 };
  }
}
