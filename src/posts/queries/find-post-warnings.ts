import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { Finding } from '#libs/content';
import { Database, statement } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import { FindBrandsOfSameAccounts } from '../../integrations/index.js';
import { contentOf, type PostDetails } from '../views/post-details.js';
import type { WrittenPost } from '../views/post-item.js';
import { textDigestOf } from '../views/post.projection.js';
import { type Destination, PostsDestinations } from '../content/posts.destinations.js';
import { preflight } from '../content/content-preflight.js';
import { PreflightRequests } from '../content/preflight-requests.js';
import { predecessorPosition } from '../domain/thread.js';
import { type Neighbour, type PostWarning, warningsOf } from '../domain/warnings.js';

/** What warnings depend on: of a post, or of one that is not saved. */
export type PostToWarnAbout = Pick<
  WrittenPost,
  | 'id'
  | 'brandId'
  | 'organizationId'
  | 'platform'
  | 'authorId'
  | 'target'
  | 'text'
  | 'status'
  | 'scheduledAt'
  | 'proposedTime'
  | 'publishedAt'
  | 'createdAt'
  | 'threadId'
  | 'threadPosition'
>;

export interface FindPostWarningsRequest {
  readonly post: WrittenPost | (PostToWarnAbout & { readonly findings: readonly Finding[] });
  readonly caller: Caller;
}

/** Warnings about a post for its author. A warning never refuses a request. */
export class FindPostWarnings extends RequestQuery<FindPostWarningsRequest, PostWarning[]> {}

const MAY_BE_LIVE = `v.id <> $3 AND v.approval_state <> 'rejected'
  AND (v.status <> 'failed' OR v.details->'failure'->>'class' = 'unconfirmed')`;

/**
 * Posts of one brand of the organization on this network with the same text or a close time, for any target. Failed posts
 * count only if they may be live. Each branch is one range of an index; no post is in both. One brand per query, nearly always
 * the only one: PostgreSQL plans a list each time.
 */
const NEIGHBOURS = statement(
  'find_neighbouring_posts',
  `SELECT v.id, v."hasSameText", v.calendar_at AS "goesOutAt", v.thread_id AS "threadId", v.details
   FROM (
     (SELECT v.*, true AS "hasSameText", coalesce(v.calendar_at, v.created_at) AS at FROM posts.post_view v
      WHERE v.brand_id = $1 AND v.platform = $2 AND v.text_digest = $4 AND ${MAY_BE_LIVE}
        AND coalesce(v.calendar_at, v.created_at) BETWEEN $5::timestamptz - interval '24 hours'
          AND $5::timestamptz + interval '24 hours'
      ORDER BY coalesce(v.calendar_at, v.created_at), v.id LIMIT 200)
     UNION ALL
     (SELECT v.*, false, v.calendar_at FROM posts.post_view v
      WHERE v.brand_id = $1 AND v.platform = $2 AND v.text_digest <> $4 AND ${MAY_BE_LIVE}
        AND v.calendar_at BETWEEN $5::timestamptz - interval '5 minutes' AND $5::timestamptz + interval '5 minutes'
      ORDER BY v.calendar_at, v.id LIMIT 200)
   ) v
   WHERE EXISTS (SELECT FROM brands.brand_owner b WHERE b.id = $1 AND b.organization_id = $6)
   ORDER BY v.at, v.id LIMIT 200`,
);
/** Maximum of neighbours in warnings. */
const MAX_NEIGHBOURS = 20;

const FIND_THREAD_PART = statement(
  'find_part_of_thread',
  'SELECT id FROM posts.post_view WHERE brand_id = $1 AND thread_id = $2 AND thread_position = $3',
);

@QueryHandler(FindPostWarnings)
export class FindPostWarningsHandler implements IQueryHandler<FindPostWarnings> {
  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly destinations: PostsDestinations,
    private readonly preflights: PreflightRequests,
  ) {}

  async execute({ request: { post, caller } }: FindPostWarnings): Promise<PostWarning[]> {
    const time = post.publishedAt ?? post.scheduledAt ?? post.proposedTime;
    const findings = post.findings ?? (await this.findingsOf(post as WrittenPost));
    const candidates = await this.candidatesFor(post, time ?? post.createdAt);
    const needsAccount = namesAccount(post) || post.status === 'scheduled';
    const compared = [post, ...candidates.map(({ details }) => details)];
    const [own, ...theirs] =
      needsAccount || candidates.length > 0 ? await this.destinations.of(compared) : [];
    const ofSameAccount = candidates.filter((_, index) => theirs[index]?.key === own?.key);
    const neighbours = neighboursFor(caller, post.organizationId, ofSameAccount.slice(0, MAX_NEIGHBOURS));
    const timing = { time, threadId: post.threadId, gapAt: await this.gapBefore(post) };
    const ofAccount = needsAccount ? destinationWarnings(post, own) : [];
    return [...ofAccount, ...warningsOf(findings, neighbours, timing)];
  }

  private async findingsOf(post: WrittenPost): Promise<Finding[]> {
    return preflight(await this.preflights.ofStored({ ...post, content: contentOf(post) }));
  }

  /** An account can be connected to several brands. Brands of other organizations are excluded. */
  private async candidatesFor(post: PostToWarnAbout, time: string): Promise<Candidate[]> {
    const { brandId, organizationId, platform } = post;
    const brandIds = await this.queries.execute(new FindBrandsOfSameAccounts({ brandId, platform }));
    const about = [platform, post.id, textDigestOf(post.text), time, organizationId];
    const found = brandIds.map((each) => this.database.query<Candidate>(NEIGHBOURS, [each, ...about]));
    return (await Promise.all(found)).flat();
  }

  /** A draft has no gap: the thread may be incomplete. */
  private async gapBefore({
    status,
    brandId,
    threadId,
    threadPosition,
  }: PostToWarnAbout): Promise<number | null> {
    if (status !== 'scheduled' || threadId === null || threadPosition === null) return null;
    const before = predecessorPosition({ id: threadId, position: threadPosition });
    if (before === null) return null;
    return (await this.database.query(FIND_THREAD_PART, [brandId, threadId, before])).length > 0
      ? null
      : before;
  }
}

type Candidate = Neighbour & { readonly details: PostDetails };

const namesAccount = ({ target }: PostToWarnAbout): boolean =>
  Boolean(target.connectionId ?? target.accountId);

/** For a post that names an account, and for a scheduled post: whether an account can publish it. */
function destinationWarnings(post: PostToWarnAbout, own: Destination | undefined): PostWarning[] {
  if (own?.choice?.kind !== 'none') return [];
  const { code, message } = own.choice.failure;
  return [{ code, message, pointer: namesAccount(post) ? '#/target' : '#/platform', postId: null }];
}

/** Without the ids of posts that the caller may not read. */
const neighboursFor = (
  caller: Caller,
  organizationId: string,
  candidates: readonly Candidate[],
): Neighbour[] =>
  candidates.map(({ details: { brandId }, ...neighbour }) =>
    caller.may('posts.read', { organizationId, brandId }) === 'yes' ? neighbour : { ...neighbour, id: null },
  );
