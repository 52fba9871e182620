import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { FindBrandsOfSameAccounts, FindPublishingConnections } from '../../integrations/index.js';
import type { PostDetails } from '../views/post-details.js';
import { contentOf } from '../views/post-details.js';
import type { WrittenPost } from '../views/post-item.js';
import { textDigestOf } from '../views/post.view.js';
import { PostsDestinations } from './posts.destinations.js';
import { ContentPreflight } from '../content/content-preflight.js';
import { predecessorPosition } from '../domain/thread.js';
import type { Neighbour, PostWarning } from '../domain/warnings.js';
import { warningsOf } from '../domain/warnings.js';

/** What an author should know before this post goes out. Never a reason to refuse. */
export class FindPostWarnings extends Query<PostWarning[]> {
  constructor(
    readonly post: WrittenPost,
    readonly caller: Caller,
  ) {
    super();
  }
}

/**
 * Of one brand of the organization on this network, whatever they are addressed to. A failed post is in nobody's way, unless
 * it may be live. One brand at a time, nearly always the only one: for a list of them it would be planned anew each time.
 */
const NEIGHBOURS = statement(
  'find_posts_beside',
  `SELECT v.id, v.text_digest = $4 AS "hasSameText", v.calendar_at AS "goesOutAt", v.thread_id AS "threadId", v.details
   FROM posts.post_view v JOIN brands.brand_view b ON b.id = v.brand_id
   WHERE v.brand_id = $1 AND b.organization_id = $6 AND v.platform = $2 AND v.id <> $3 AND v.approval_state <> 'rejected'
     AND (v.status <> 'failed' OR v.details->'failure'->>'class' = 'unconfirmed')
     AND coalesce(v.calendar_at, v.created_at) BETWEEN $5::timestamptz - interval '24 hours'
       AND $5::timestamptz + interval '24 hours'
     AND (v.text_digest = $4 OR v.calendar_at BETWEEN $5::timestamptz - interval '5 minutes'
       AND $5::timestamptz + interval '5 minutes')
   ORDER BY coalesce(v.calendar_at, v.created_at), v.id LIMIT 200`,
);
/** Of those of the same account, after which more would tell nobody anything. */
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
    private readonly preflight: ContentPreflight,
    private readonly destinations: PostsDestinations,
  ) {}

  async execute({ post, caller }: FindPostWarnings): Promise<PostWarning[]> {
    const time = post.publishedAt ?? post.scheduledAt ?? post.proposedTime;
    const findings = post.findings ?? (await this.preflight.check(post.platform, contentOf(post)));
    const neighbours = await this.neighboursOf(post, caller, time ?? post.createdAt);
    const place = { time, threadId: post.threadId, gapAt: await this.gapBefore(post) };
    return [...(await this.destinationWarnings(post)), ...warningsOf(findings, neighbours, place)];
  }

  /** The account that a post names may not be there, and its brand may have none when the post is scheduled. */
  private async destinationWarnings(post: WrittenPost): Promise<PostWarning[]> {
    const namesAccount = Boolean(post.target.connectionId ?? post.target.accountId);
    if (!namesAccount && post.status !== 'scheduled') return [];
    const [way] = await this.queries.execute(new FindPublishingConnections([post]));
    if (way?.kind !== 'none') return [];
    const { code, message } = way.failure;
    return [{ code, message, pointer: namesAccount ? '#/target' : '#/platform', postId: null }];
  }

  /** An account may be connected to several brands; those of other organizations are nobody's business. */
  private async neighboursOf(post: WrittenPost, caller: Caller, time: string): Promise<Neighbour[]> {
    const { organizationId, platform } = post;
    const brandIds = await this.queries.execute(new FindBrandsOfSameAccounts(post.brandId, platform));
    const about = [platform, post.id, textDigestOf(post.text), time, organizationId];
    const found = brandIds.map((brandId) =>
      this.database.query<Neighbour & { readonly details: PostDetails }>(NEIGHBOURS, [brandId, ...about]),
    );
    const beside = (await Promise.all(found)).flat();
    if (beside.length === 0) return [];
    const [own, ...theirs] = await this.destinations.of([post, ...beside.map(({ details }) => details)]);
    const ofSameAccount = beside.filter((_, index) => theirs[index] === own).slice(0, MAX_NEIGHBOURS);
    return ofSameAccount.map(({ details: { brandId }, ...neighbour }) =>
      caller.may('posts.read', { organizationId, brandId }) === 'yes'
        ? neighbour
        : { ...neighbour, id: null },
    );
  }

  /** A draft's thread may still be written. */
  private async gapBefore({
    status,
    brandId,
    threadId,
    threadPosition,
  }: PostDetails): Promise<number | null> {
    if (status !== 'scheduled' || threadId === null || threadPosition === null) return null;
    const before = predecessorPosition({ id: threadId, position: threadPosition });
    if (before === null) return null;
    return (await this.database.query(FIND_THREAD_PART, [brandId, threadId, before])).length > 0
      ? null
      : before;
  }
}
