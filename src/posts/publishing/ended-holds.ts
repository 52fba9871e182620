import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '#libs/clock';
import { FindPublishingConnections } from '../../integrations/index.js';
import { PublishCandidatesStore } from './candidates.store.js';
import type { DuePost } from './candidates.store.js';
import { PublishSetAside } from './set-aside.js';

const PAGE = 500;
const EVERY_MS = 1_000;

/**
 * Finds posts whose hold has ended before their own `heldUntil`: an operator ended the hold of a network, or the service was
 * set up again. It compares rows, and reacts to no event: a post that a worker holds while the hold ends is found too.
 */
@Injectable()
export class EndedHolds {
  /** The next page begins after this post; null: with the first. Another worker pages for itself. */
  private after: string | null = null;
  /** Monotonic milliseconds. */
  private nextPassAt = -Infinity;

  constructor(
    private readonly queries: QueryBus,
    private readonly candidates: PublishCandidatesStore,
    private readonly aside: PublishSetAside,
    private readonly clock: Clock,
  ) {}

  /** Of one page of the held posts those that could be sent now; a pass over all pages begins once a second at most. */
  async next(): Promise<DuePost[]> {
    if (this.after === null) {
      const now = this.clock.monotonic();
      if (now < this.nextPassAt) return [];
      this.nextPassAt = now + EVERY_MS;
    }
    const held = await this.candidates.held(PAGE, this.after, this.aside.ids);
    this.after = held.length < PAGE ? null : (held.at(-1)?.postId ?? null);
    if (held.length === 0) return [];
    const choices = await this.queries.execute(new FindPublishingConnections(held));
    return held.filter((_, index) => {
      const choice = choices[index];
      return choice?.kind === 'connection' && choice.heldUntil === null;
    });
  }
}
