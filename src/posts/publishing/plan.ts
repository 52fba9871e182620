import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '#libs/clock';
import { FindPublishingConnections } from '../../integrations/index.js';
import type { ConnectionChoice } from '../../integrations/index.js';
import { PublishCandidatesStore } from './candidates.store.js';
import type { Candidate } from './candidates.store.js';
import { PublishLeases } from './leases.js';
import { PublishSetAside } from './set-aside.js';
import { PublishConfig } from './publish.config.js';

/** A due post and where it would go out, as far as the view knew: the claim decides on what is there once it has the account. */
export interface Planned extends Candidate {
  /** The account to be claimed for it; null when it is not going to be sent now. */
  readonly accountKey: string | null;
}

/**
 * Twice as many ways out are looked for as posts wanted, among four times as many posts; far more ways among all due posts
 * when that gives too few: some are busy, here or at another worker, or have more due posts than the others.
 */
const WAYS_PER_POST = 2;
const POSTS_PER_POST = 4;
const WAYS_WHEN_BUSY = 1_000;
/**
 * Parts of threads whose time came longer ago wait for a part that failed, was taken back or deleted, nearly always and some
 * for ever: they are looked at now and then, and soon after this worker published a part of a thread. Those that get their
 * turn otherwise go out so much later.
 */
const RECENT_PARTS_MS = 3_600_000;
const ALL_PARTS_EVERY_MS = 2_000;
const ALL_PARTS_SOON_MS = 100;
/** Posts settled without sending, in one claim. */
const SETTLED_AT_ONCE = 500;

/** Chooses from what is due: the oldest post of each free account, and whatever is to be settled without sending. */
@Injectable()
export class PublishPlan {
  /** When, monotonic, parts that have waited for long are looked at next. */
  private allPartsAt = -Infinity;

  constructor(
    private readonly queries: QueryBus,
    private readonly candidates: PublishCandidatesStore,
    private readonly leases: PublishLeases,
    private readonly aside: PublishSetAside,
    private readonly clock: Clock,
    private readonly config: PublishConfig,
  ) {}

  /** @param limit posts to be sent; each post at most once, each account at most once */
  async make(limit: number): Promise<Planned[]> {
    const due = await this.due(limit);
    if (due.length === 0) return [];
    const stuck = due.filter(({ accountKey }) => accountKey === null);
    const beside = await this.choose(await this.candidates.dueLike(stuck, SETTLED_AT_ONCE, this.aside.ids));
    const settled = [
      ...stuck,
      ...beside.filter(({ accountKey }) => accountKey === null),
      ...(await this.late()),
    ];
    const sent = this.oneOfEachAccount(due).slice(0, limit);
    return [...new Map([...settled, ...sent].map((planned) => [planned.postId, planned])).values()];
  }

  /** A part of a thread was published: the next one may be overdue. */
  expectParts(): void {
    this.allPartsAt = Math.min(this.allPartsAt, this.clock.monotonic() + ALL_PARTS_SOON_MS);
  }

  private async due(limit: number): Promise<Planned[]> {
    const [parts, aside] = [this.partsToLookAt(), this.aside.ids];
    const oldest = await this.candidates.due(limit * WAYS_PER_POST, limit * POSTS_PER_POST, parts, aside);
    const few = await this.choose(oldest.candidates);
    if (oldest.complete || this.oneOfEachAccount(few).length >= limit) return few;
    return this.choose((await this.candidates.due(this.most, null, parts, aside)).candidates);
  }

  /** Milliseconds since they fell due; null: all of them. */
  private partsToLookAt(): number | null {
    const now = this.clock.monotonic();
    if (now < this.allPartsAt) return RECENT_PARTS_MS;
    this.allPartsAt = now + ALL_PARTS_EVERY_MS;
    return null;
  }

  private get most(): number {
    return Math.max(WAYS_WHEN_BUSY, this.config.concurrency * 4);
  }

  private oneOfEachAccount(planned: readonly Planned[]): Planned[] {
    const seen = new Set<string>();
    return planned.filter(({ accountKey }) => {
      if (accountKey === null || seen.has(accountKey) || this.leases.has(accountKey)) return false;
      seen.add(accountKey);
      return true;
    });
  }

  /** Too late for any account: no need to wait for one. */
  private async late(): Promise<Planned[]> {
    const { lateWindowMs } = this.config;
    const late = await this.choose(await this.candidates.late(lateWindowMs, SETTLED_AT_ONCE, this.aside.ids));
    return late.map((planned) => ({ ...planned, accountKey: null }));
  }

  private async choose(candidates: readonly Candidate[]): Promise<Planned[]> {
    if (candidates.length === 0) return [];
    const choices = await this.queries.execute(new FindPublishingConnections(candidates));
    return candidates.map((candidate, index) => {
      const choice = choices[index] as ConnectionChoice;
      const free = choice.kind === 'connection' && choice.heldUntil === null;
      return { ...candidate, accountKey: free ? choice.accountKey : null };
    });
  }
}
