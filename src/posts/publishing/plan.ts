import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '#libs/clock';
import type { Platform } from '#libs/content';
import { type ConnectionChoice, FindPublishingConnections } from '../../integrations/index.js';
import { type DuePost, PublishCandidatesStore } from './candidates.store.js';
import { PublishLeases } from './leases.js';
import { NetworkSlots } from './network-slots.js';
import { PublishConfig } from './publish.config.js';

/** A due post and its account, as far as the view knows. The claim decides again once it holds the account. */
export interface Planned extends DuePost {
  /** The account to lease for it; null: it is not sent now. */
  readonly accountKey: string | null;
  /** Nothing else is sent to its network, which is down: it may find out whether that is over. */
  readonly isProbe: boolean;
  /** Milliseconds since an outage of its network ended; null: none is known. */
  readonly recoveredMs: number | null;
}

/**
 * The first query reads as many routes of each network as posts are wanted, among four times as many posts. That may give too few,
 * when other workers hold the accounts or some accounts have many due posts. Then follow pages of all routes, each PAGE_GROWTH
 * times as large as the one before, so that a free account is found in few queries.
 */
const POSTS_PER_POST = 4;
const ROUTES_WHEN_BUSY = 1_000;
const PAGE_GROWTH = 4;
/**
 * Parts of threads that fell due longer ago nearly always wait for a part that failed, was put back to draft or deleted, some
 * without end. They are read every ALL_PARTS_EVERY_MS, and ALL_PARTS_SOON_MS after this worker published a part of a thread.
 */
const RECENT_PARTS_MS = 3_600_000;
const ALL_PARTS_EVERY_MS = 2_000;
const ALL_PARTS_SOON_MS = 100;
const BEYOND_EVERY_MS = 100;
/** Posts that one claim settles without sending. */
const SETTLED_AT_ONCE = 500;
const HELD_PAGE = 500;
const HELD_PASS_EVERY_MS = 1_000;

/** Chooses among due posts: the oldest of each free account, and those that can be settled without sending. */
@Injectable()
export class PublishPlan {
  /** Monotonic milliseconds: when parts that have waited for long are read next. */
  private allPartsAt = -Infinity;
  /** Monotonic milliseconds: when accounts behind those that cannot be used are looked for next, while some can be used. */
  private beyondAt = -Infinity;
  /** The next page of held posts begins after this id; null: with the first. */
  private heldAfter: string | null = null;
  /** Monotonic milliseconds. */
  private nextHeldPassAt = -Infinity;

  constructor(
    private readonly queries: QueryBus,
    private readonly candidates: PublishCandidatesStore,
    private readonly leases: PublishLeases,
    private readonly slots: NetworkSlots,
    private readonly clock: Clock,
    private readonly config: PublishConfig,
  ) {}

  /** @param limit posts to be sent. @returns each post at most once, each account at most once */
  async make(limit: number): Promise<Planned[]> {
    const due = await this.due(limit);
    const released = await this.released(
      new Set(due.flatMap(({ isProbe, platform }) => (isProbe ? platform : []))),
    );
    if (due.length === 0) return released;
    const stuck = due.filter(({ accountKey }) => accountKey === null);
    const settled = [...stuck, ...(await this.stuckLike(stuck)), ...(await this.late()), ...released];
    const sent = this.fit(due).fitting.slice(0, limit);
    return [...new Map([...settled, ...sent].map((planned) => [planned.postId, planned])).values()];
  }

  /** To be called when a part of a thread was published: the next part may be overdue. */
  expectParts(): void {
    this.allPartsAt = Math.min(this.allPartsAt, this.clock.monotonic() + ALL_PARTS_SOON_MS);
  }

  private async due(limit: number): Promise<Planned[]> {
    const request = { partsOfMs: this.ageOfParts(), attemptsOfMs: this.config.abandonedAfterMs };
    const few = { routes: limit, posts: limit * POSTS_PER_POST, except: this.slots.full() };
    const { candidates, more } = await this.candidates.due({ ...request, ...few });
    const found = await this.free(candidates);
    const { exceptOrganizations, fitting, ...beyond } = this.beyond(found, more, limit);
    const canWait = exceptOrganizations.length > 0 || fitting.length > 0;
    if (canWait && !this.looksBeyond(beyond.only)) return found;
    let { only } = beyond;
    for (let skip = 0, routes = this.most; only.length > 0; skip += routes, routes *= PAGE_GROWTH) {
      const page = await this.candidates.due({ ...request, routes, skip, only, exceptOrganizations });
      found.push(...(await this.free(page.candidates)));
      ({ only } = this.beyond(found, page.more, limit));
    }
    return found;
  }

  /** Networks of which more may be due, and more may begin than was found, but for organizations that have all they may have. */
  private beyond(found: readonly Planned[], more: readonly Platform[], limit: number) {
    const { fitting, full, fullOrganizations } = this.fit(found);
    const only = fitting.length >= limit ? [] : more.filter((platform) => !full.includes(platform));
    return { only, exceptOrganizations: fullOrganizations, fitting };
  }

  /** Whether all due posts of these networks are read although some can be sent: every BEYOND_EVERY_MS. */
  private looksBeyond(only: readonly Platform[]): boolean {
    const now = this.clock.monotonic();
    if (only.length === 0 || now < this.beyondAt) return false;
    this.beyondAt = now + BEYOND_EVERY_MS;
    return true;
  }

  /** Those whose account no worker holds. */
  private async free(candidates: readonly DuePost[]): Promise<Planned[]> {
    const planned = await this.choose(candidates);
    const keys = new Set(planned.flatMap(({ accountKey }) => accountKey ?? []));
    const held = await this.leases.heldOf([...keys]);
    const isFree = (key: string) => !held.has(key) && !this.leases.has(key);
    return planned.filter(({ accountKey }) => accountKey === null || isFree(accountKey));
  }

  /** Milliseconds; parts that fell due longer ago are not read. null: all are read. */
  private ageOfParts(): number | null {
    const now = this.clock.monotonic();
    if (now < this.allPartsAt) return RECENT_PARTS_MS;
    this.allPartsAt = now + ALL_PARTS_EVERY_MS;
    return null;
  }

  private get most(): number {
    return Math.max(ROUTES_WHEN_BUSY, this.config.concurrency * 4);
  }

  /** One of each account, as many of each network as it may have of the slots. */
  private fit(planned: readonly Planned[]) {
    return this.slots.fit(this.oneOfEachAccount(planned));
  }

  private oneOfEachAccount(planned: readonly Planned[]): Planned[] {
    const seen = new Set<string>();
    return planned.filter(({ accountKey }) => {
      if (accountKey === null || seen.has(accountKey)) return false;
      seen.add(accountKey);
      return true;
    });
  }

  /** Other posts that go where these cannot be sent. */
  private async stuckLike(stuck: readonly Planned[]): Promise<Planned[]> {
    const alike = await this.choose(await this.candidates.dueLike(stuck, { limit: SETTLED_AT_ONCE }));
    return alike.filter(({ accountKey }) => accountKey === null);
  }

  /** Posts past their late window need no account. */
  private async late(): Promise<Planned[]> {
    const { lateWindowMs } = this.config;
    const late = await this.candidates.late({ windowMs: lateWindowMs, limit: SETTLED_AT_ONCE });
    return late.map(withoutAccount);
  }

  /**
   * Of one page of held posts, those whose hold ended before their own `heldUntil`. A pass over all pages begins once a second
   * at most. docs/design/holds.md
   */
  private async released(probed: ReadonlySet<Platform>): Promise<Planned[]> {
    const now = this.clock.monotonic();
    if (this.heldAfter === null) {
      if (now < this.nextHeldPassAt) return [];
      this.nextHeldPassAt = now + HELD_PASS_EVERY_MS;
    }
    const held = await this.candidates.held({ after: this.heldAfter, limit: HELD_PAGE });
    this.heldAfter = held.length < HELD_PAGE ? null : (held.at(-1)?.postId ?? null);
    const free = (await this.choose(anyFirst(held), probed)).filter(({ accountKey }) => accountKey !== null);
    return free.map(withoutAccount);
  }

  /** @param probed networks that another post probes: of these none may be sent while they are down */
  private async choose(
    candidates: readonly DuePost[],
    probed: ReadonlySet<Platform> = new Set(),
  ): Promise<Planned[]> {
    if (candidates.length === 0) return [];
    const choices = await this.queries.execute(new FindPublishingConnections({ posts: candidates }));
    const probes = new Set(probed);
    return candidates.map((candidate, index) => {
      const choice = choices[index] as ConnectionChoice;
      if (choice.kind === 'none' || choice.heldUntil !== null) return withoutAccount(candidate);
      const { accountKey, network } = choice;
      const { outage, mayProbe, recoveredMs } = network;
      const isProbe = outage !== null && mayProbe && !probes.has(candidate.platform);
      if (isProbe) probes.add(candidate.platform);
      return {
        ...candidate,
        accountKey: outage === null || isProbe ? accountKey : null,
        isProbe,
        recoveredMs,
      };
    });
  }
}

/** The first one may probe a network. Any may come first, because some wait for something else and cannot be sent. */
function anyFirst(posts: readonly DuePost[]): DuePost[] {
  const start = Math.floor(Math.random() * posts.length);
  return [...posts.slice(start), ...posts.slice(0, start)];
}

const withoutAccount = (post: DuePost): Planned => ({
  ...post,
  accountKey: null,
  isProbe: false,
  recoveredMs: null,
});
