import type { FixedClock } from '#libs/clock/testing';
import type { NetworkSearch } from '../../src/integrations/domain/delivery-outcome.js';
import type { NetworkCall, Prepared } from '../../src/integrations/domain/provider-publishing.js';
import { CONNECTING } from './contract-subject.js';
import { PublishAttempts, subjectOf } from './publish-attempts.js';
import { standInOfLinkedIn, type StandInOfLinkedIn } from './stand-in-of-linkedin.js';

/** Attempts to publish on LinkedIn, counted at the ledger. */
export class LinkedInAttempts extends PublishAttempts<StandInOfLinkedIn> {
  static async start(
    platform: 'linkedin' | 'linkedin-company',
    clock: FixedClock,
  ): Promise<LinkedInAttempts> {
    return new LinkedInAttempts(await subjectOf((of) => standInOfLinkedIn(platform, of), clock));
  }

  reconcile(
    { account, accessToken, content }: NetworkCall,
    prepared: Prepared | null,
  ): Promise<NetworkSearch> {
    const since = new Date(this.clock.now().getTime() - 1_000).toISOString();
    return this.provider.reconcile({ ...CONNECTING, account, accessToken, content, prepared, since });
  }

  /** The next call of the route is answered so. */
  answer(route: string, status: number, body: object): Promise<number> {
    return this.fault('answer-instead', route, { status, body: JSON.stringify(body) });
  }

  /** Effects since the beginning of this file: of all posts with this text, and of all uploads. */
  async posts({ content }: NetworkCall): Promise<number> {
    const all = (await this.sandbox.ledger('?kind=post.created')) as { text: string }[];
    return all.filter(({ text }) => text === content.text).length;
  }

  async uploads(): Promise<number> {
    return (await this.sandbox.ledger('?kind=media.initialized')).length;
  }
}
