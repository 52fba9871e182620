import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '#libs/clock';
import { FindPublishingConnections } from '../../integrations/index.js';
import type { ConnectionChoice } from '../../integrations/index.js';
import { PublishCandidatesStore } from './candidates.store.js';
import type { DuePost, DueRequest } from './candidates.store.js';
import { EndedHolds } from './ended-holds.js';
import { PublishLeases } from './leases.js';
import { PublishSetAside } from './set-aside.js';
import { PublishConfig } from './publish.config.js';

/** A due post and where it would go out, as far as the view knew: the claim decides on what is there once it has the account. */
export interface Planned extends DuePost {
  /** The account to be claimed for it; null when it is not going to be sent now. */
  readonly accountKey: string | null;
}

/**
 * Twice as many routes are looked for as posts wanted, among four times as many posts. When that gives too few, because
 * workers hold their accounts or some have more due posts than others, page after page of all routes follows, each so
 * many times as large as the one before: whatever is held, a free account is found, in few queries.
 */
const ROUTES_PER_POST = 2;
const POSTS_PER_POST = 4;
const ROUTES_WHEN_BUSY = 1_000;
const PAGE_GROWTH = 4;
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
    private readonly endedHolds: EndedHolds,
    private readonly clock: Clock,
    private readonly config: PublishConfig,
  ) {}

  /** @param limit posts to be sent; each post at most once, each account at most once */
  async make(limit: number): Promise<Planned[]> {
    const due = await this.due(limit);
    const released = (await this.endedHolds.next()).map((candidate) => ({ ...candidate, accountKey: null }));
    if (due.length === 0) return released;
    const stuck = due.filter(({ accountKey }) => accountKey === null);
    const beside = await this.choose(await this.candidates.dueLike(stuck, SETTLED_AT_ONCE, this.aside.ids));
    const settled = [
      ...stuck,
      ...beside.filter(({ accountKey }) => accountKey === null),
      ...(await this.late()),
      ...released,
    ];
    const sent = this.oneOfEachAccount(due).slice(0, limit);
    return [...new Map([...settled, ...sent].map((planned) => [planned.postId, planned])).values()];
  }

  /** A part of a thread was published: the next one may be overdue. */
  expectParts(): void {
    this.allPartsAt = Math.min(this.allPartsAt, this.clock.monotonic() + ALL_PARTS_SOON_MS);
  }

  private async due(limit: number): Promise<Planned[]> {
    const { leaseMs, callTimeoutMs } = this.config;
    const request = {
      partsOfMs: this.partsToLookAt(),
      attemptsOfMs: leaseMs + callTimeoutMs,
      except: this.aside.ids,
    };
    const few = { ...request, routes: limit * ROUTES_PER_POST, posts: limit * POSTS_PER_POST };
    const oldest = await this.candidates.due(few);
    const found = await this.free(oldest.candidates);
    if (oldest.complete || this.oneOfEachAccount(found).length >= limit) return found;
    return this.dueAmongAll(limit, request);
  }

  private async dueAmongAll(limit: number, request: Omit<DueRequest, 'routes'>): Promise<Planned[]> {
    const found: Planned[] = [];
    let skip = 0;
    for (let routes = this.most; ; routes *= PAGE_GROWTH) {
      const { candidates, complete } = await this.candidates.due({ ...request, routes, skip });
      found.push(...(await this.free(candidates)));
      if (complete || this.oneOfEachAccount(found).length >= limit) return found;
      skip += routes;
    }
  }

  /** Without those whose account a worker holds. */
  private async free(candidates: readonly DuePost[]): Promise<Planned[]> {
    const planned = await this.choose(candidates);
    const keys = new Set(planned.flatMap(({ accountKey }) => accountKey ?? []));
    const held = await this.leases.heldOf([...keys]);
    const isFree = (key: string) => !held.has(key) && !this.leases.has(key);
    return planned.filter(({ accountKey }) => accountKey === null || isFree(accountKey));
  }

  /** Milliseconds since they fell due; null: all of them. */
  private partsToLookAt(): number | null {
    const now = this.clock.monotonic();
    if (now < this.allPartsAt) return RECENT_PARTS_MS;
    this.allPartsAt = now + ALL_PARTS_EVERY_MS;
    return null;
  }

  private get most(): number {
    return Math.max(ROUTES_WHEN_BUSY, this.config.concurrency * 4);
  }

  private oneOfEachAccount(planned: readonly Planned[]): Planned[] {
    const seen = new Set<string>();
    return planned.filter(({ accountKey }) => {
      if (accountKey === null || seen.has(accountKey)) return false;
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

  private async choose(candidates: readonly DuePost[]): Promise<Planned[]> {
    if (candidates.length === 0) return [];
    const choices = await this.queries.execute(new FindPublishingConnections(candidates));
    return candidates.map((candidate, index) => {
      const choice = choices[index] as ConnectionChoice;
      const free = choice.kind === 'connection' && choice.heldUntil === null;
      return { ...candidate, accountKey: free ? choice.accountKey : null };
    });
  }
}
