import { Injectable } from '@nestjs/common';
import type { Platform, Target } from '#libs/content';
import { Database, type Statement } from '#libs/database';
import type { ThreadPart } from '../domain/thread.js';
import { CHECKS, COUNTS, DUE, DUE_LIKE, HELD, LATE, NEXT, UNSETTLED } from './candidate.statements.js';
import { Quarantine } from './quarantine.js';

/** A due post as the view has it. A claim decides on the stream. */
export interface DuePost {
  readonly postId: string;
  readonly brandId: string;
  readonly organizationId: string;
  readonly platform: Platform;
  readonly authorId: string;
  readonly target: Target;
  /** The part of the thread just before it. */
  readonly before: ThreadPart | null;
}

/** An attempt without an outcome. */
export interface UnsettledAttempt extends DuePost {
  readonly attemptId: string;
  readonly connectionId: string;
}

/** The oldest due post of each route, oldest first. */
export interface Due {
  readonly candidates: readonly DuePost[];
  /** Networks of which further routes may have due posts, of the later parts that were looked at. */
  readonly more: readonly Platform[];
}

export interface DueRequest {
  /** At most so many routes of a network. */
  readonly routes: number;
  /** So many of its oldest routes are skipped. Default 0. */
  readonly skip?: number;
  /** Among so many of its oldest due posts only; null, the default: among all. */
  readonly posts?: number | null;
  /** Later parts of threads only that fell due at most so many milliseconds ago; null, the default: whenever that was. */
  readonly partsOfMs?: number | null;
  /** Networks that are left out. Default: none. */
  readonly except?: readonly Platform[];
  /** These networks only; null, the default: all. */
  readonly only?: readonly Platform[] | null;
  /** Organizations whose posts of the network are left out. Default: none. */
  readonly exceptOrganizations?: readonly Pick<DuePost, 'platform' | 'organizationId'>[];
  /** Routes are left out on which an attempt began at most so many milliseconds ago. */
  readonly attemptsOfMs: number;
}

export interface CandidateLimit {
  readonly limit: number;
}

export interface UnsettledRequest {
  /** Attempts that began longer ago than so many milliseconds. */
  readonly olderThanMs: number;
  readonly limit: number;
  /** So many of the first are skipped. Default 0. */
  readonly skip?: number;
  /** Ids of attempts that are left out. */
  readonly exceptAttempts: readonly string[];
}

interface Row extends Omit<DuePost, 'before'> {
  beforeId: string | null;
  beforeStatus: ThreadPart['status'] | null;
  beforeNetworkId: string | null;
  beforePublishedSince: string | null;
}

interface AttemptRow extends Row {
  attemptId: string;
  connectionId: string;
}

/** What is due, by the database's clock, without posts in quarantine. Reads the view only: a claim decides on the stream. */
@Injectable()
export class PublishCandidatesStore {
  constructor(
    private readonly database: Database,
    private readonly quarantine: Quarantine,
  ) {}

  async due({
    routes,
    skip = 0,
    posts = null,
    partsOfMs = null,
    except = [],
    only = null,
    exceptOrganizations = [],
    attemptsOfMs,
  }: DueRequest): Promise<Due> {
    const values = [routes, posts, partsOfMs, this.quarantine.postIds, attemptsOfMs, skip, except, only];
    const left = [
      exceptOrganizations.map(({ platform }) => platform),
      exceptOrganizations.map(({ organizationId }) => organizationId),
    ];
    const rows = await this.database.query<Row & { hasMore: boolean }>(DUE, [...values, ...left]);
    const more = new Set(rows.flatMap(({ hasMore, platform }) => (hasMore ? platform : [])));
    return { candidates: rows.map(duePostOf), more: [...more] };
  }

  /** Due posts of the same routes that wait for no other post, oldest first. */
  async dueLike(posts: readonly DuePost[], { limit }: CandidateLimit): Promise<DuePost[]> {
    if (posts.length === 0) return [];
    const postIds = posts.map(({ postId }) => postId);
    return this.page(DUE_LIKE, postIds, limit);
  }

  /** Posts whose time passed longer ago than `windowMs`, oldest first. */
  late({ windowMs, limit }: CandidateLimit & { readonly windowMs: number }): Promise<DuePost[]> {
    return this.page(LATE, windowMs, limit);
  }

  /** Posts that would be due if their account or network were not held, by id, with ids greater than `after`. */
  held({ after, limit }: CandidateLimit & { readonly after: string | null }): Promise<DuePost[]> {
    return this.page(HELD, after, limit);
  }

  /** Milliseconds until the next post is due; Infinity when none waits. */
  async nextInMs(): Promise<number> {
    const [row] = await this.database.query<{ inMs: number | null }>(NEXT);
    return row?.inMs ?? Infinity;
  }

  /** Those that began longest ago first. */
  async unsettledAttempts(request: UnsettledRequest): Promise<UnsettledAttempt[]> {
    const { olderThanMs, limit, skip = 0, exceptAttempts } = request;
    const values = [olderThanMs, limit, exceptAttempts, this.quarantine.postIds, skip];
    return (await this.database.query<AttemptRow>(UNSETTLED, values)).map(unsettledOf);
  }

  /** Attempts whose network is to be asked for its decision, oldest first. */
  async dueChecks(limit: number, exceptAttempts: readonly string[]): Promise<UnsettledAttempt[]> {
    const values = [limit, exceptAttempts, this.quarantine.postIds];
    return (await this.database.query<AttemptRow>(CHECKS, values)).map(unsettledOf);
  }

  private async page(which: Statement, of: unknown, limit: number): Promise<DuePost[]> {
    const rows = await this.database.query<Row>(which, [of, limit, this.quarantine.postIds]);
    return rows.map(duePostOf);
  }

  /** Posts that are due and wait for no other post; `late`: for more than a minute. @param atMost so many of a kind */
  async counts(atMost: number): Promise<{ due: number; late: number }> {
    const [row] = await this.database.query<{ due: number; late: number }>(COUNTS, [atMost]);
    return row ?? { due: 0, late: 0 };
  }
}

function duePostOf(row: Row): DuePost {
  const { postId, brandId, organizationId, platform, authorId, target } = row;
  return { postId, brandId, organizationId, platform, authorId, target, before: beforeOf(row) };
}

function unsettledOf(row: AttemptRow): UnsettledAttempt {
  const { attemptId, connectionId } = row;
  return { ...duePostOf(row), attemptId, connectionId };
}

function beforeOf({ beforeId, beforeStatus, beforeNetworkId, beforePublishedSince }: Row): ThreadPart | null {
  if (!beforeId || !beforeStatus) return null;
  const [platformPostId, publishedSince] = [beforeNetworkId, beforePublishedSince];
  return { postId: beforeId, status: beforeStatus, platformPostId, publishedSince };
}
