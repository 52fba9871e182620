import { Injectable, Logger } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import { unknownMedia } from '#libs/content';
import { Database, statement } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import type { MediaOfBrand } from '../../media/index.js';
import { blockersIn, missingFiles } from '../content/content-preflight.js';
import { PostNotFound } from '../domain/post.errors.js';
import type { Blocker } from '../domain/post.events.js';
import { type PostWarning, WARNINGS_UNAVAILABLE } from '../domain/warnings.js';
import { factsOf, keyOf, PostFiles } from '../media/post-files.js';
import { PostRenditions } from '../media/post-renditions.js';
import { contentOf } from '../views/post-details.js';
import type { PostFile, PostInThread, PostItem, WrittenPost } from '../views/post-item.js';
import { ITEM_COLUMNS, itemOfRow, type ItemRow, JOIN_PREDECESSOR } from '../views/post-row.view.js';
import { FindPostWarnings } from './find-post-warnings.js';

/** Posts as their readers see them: with their files, and with what prevents their publication. */
@Injectable()
export class ShownPosts {
  constructor(
    private readonly files: PostFiles,
    private readonly renditions: PostRenditions,
  ) {}

  /** In their order. One query for the files of all posts and one for their renditions; none when no post has files. */
  async of(posts: readonly PostInThread[]): Promise<PostItem[]> {
    const found = await this.files.find(posts);
    const unpublished = posts.filter(({ status }) => status !== 'published');
    const blockers = await this.fileBlockers(unpublished, found);
    const byPost = new Map(unpublished.map((post, index) => [post, blockers[index] ?? []]));
    return posts.map((post) => ({
      ...post,
      media: post.mediaIds.map((id) => shownFile(id, found.get(keyOf(post.brandId, id)))),
      blockers: distinct([...post.blockers, ...(byPost.get(post) ?? [])]),
    }));
  }

  private async fileBlockers(
    posts: readonly PostInThread[],
    found: ReadonlyMap<string, MediaOfBrand>,
  ): Promise<Blocker[][]> {
    const checked = posts.map((post) => ({
      platform: post.platform,
      content: contentOf(post),
      media: factsOf(post, found),
      account: null,
    }));
    const ofRenditions = await this.renditions.findings(checked);
    return checked.map(({ platform, media }, index) =>
      blockersIn([...missingFiles(platform, media), ...(ofRenditions[index] ?? [])]),
    );
  }
}

/** A file that is gone may have been so when the content was written. */
const distinct = (blockers: readonly Blocker[]): Blocker[] => [
  ...new Map(blockers.map((each) => [`${each.ruleId} ${each.pointer}`, each])).values(),
];

const RATIO_DIGITS = 4;

/** @param file undefined if it does not exist */
function shownFile(id: string, file?: MediaOfBrand): PostFile {
  const { kind, contentType, bytes, width, height, durationMs, altText } = file ?? unknownMedia(id);
  const ratio = width && height ? Number((width / height).toFixed(RATIO_DIGITS)) : null;
  const thumbnailUrl = file?.thumbnailUrl ?? null;
  return { id, kind, contentType, bytes, width, height, ratio, durationMs, altText, thumbnailUrl };
}

const GET = statement(
  'get_post',
  `SELECT ${ITEM_COLUMNS} FROM posts.post_view v JOIN brands.brand_owner b ON b.id = v.brand_id
   ${JOIN_PREDECESSOR} WHERE v.id = $1`,
);

export interface WhichPost {
  readonly postId: string;
  readonly caller: Caller;
  /** The required scope; posts.read by default. */
  readonly scope?: Scope;
  /** Posts of other brands are not found. */
  readonly brandId?: string;
}

/** @throws PostNotFound also for a post of another organization or brand; ScopeIsMissing */
export class GetPost extends RequestQuery<WhichPost, PostItem> {}

@QueryHandler(GetPost)
export class GetPostHandler implements IQueryHandler<GetPost> {
  constructor(
    private readonly database: Database,
    private readonly shown: ShownPosts,
  ) {}

  async execute({ request: { postId, caller, scope = 'posts.read', brandId } }: GetPost): Promise<PostItem> {
    const [row] = await this.database.query<ItemRow>(GET, [postId]);
    if (!row) throw new PostNotFound();
    const owner = { organizationId: row.organization_id, brandId: row.details.brandId };
    caller.must(scope, owner, () => new PostNotFound());
    if (brandId !== undefined && owner.brandId !== brandId) throw new PostNotFound();
    return (await this.shown.of([itemOfRow(row)]))[0] as PostItem;
  }
}

interface PresentedPost {
  readonly item: PostItem;
  readonly warnings: readonly PostWarning[];
}

interface PresentWrittenPostRequest {
  readonly post: WrittenPost;
  readonly caller: Caller;
}

/** The response to a command: the post, the part of its thread that it waits for, and its warnings. */
export class PresentWrittenPost extends RequestQuery<PresentWrittenPostRequest, PresentedPost> {}

/**
 * A failed lookup never fails a committed command: after a 503 the client would send it again and create a second post.
 * Inside a transaction the error is thrown, because the command is rolled back with it.
 */
@QueryHandler(PresentWrittenPost)
export class PresentWrittenPostHandler implements IQueryHandler<PresentWrittenPost> {
  private readonly logger = new Logger(PresentWrittenPost.name);

  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly shown: ShownPosts,
  ) {}

  async execute({ request: { post, caller } }: PresentWrittenPost): Promise<PresentedPost> {
    let item: PostItem = { ...post, blockedBy: null, media: post.mediaIds.map((id) => shownFile(id)) };
    try {
      // Only a part of a thread can have a predecessor.
      if (post.threadId !== null)
        item = await this.queries.execute(new GetPost({ postId: post.id, caller, scope: 'posts.write' }));
      else item = (await this.shown.of([item]))[0] ?? item;
      return {
        item: withoutAddresses(item),
        warnings: await this.queries.execute(new FindPostWarnings({ post, caller })),
      };
    } catch (error) {
      if (this.database.isInTransaction) throw error;
      this.logger.error(error, `The warnings of post ${post.id} could not be looked up. The post is stored.`);
      return { item: withoutAddresses(item), warnings: [WARNINGS_UNAVAILABLE] };
    }
  }
}

/** The response may be stored for its Idempotency-Key; a signed address is a credential and expires earlier. */
const withoutAddresses = (item: PostItem): PostItem => ({
  ...item,
  media: item.media.map((file) => ({ ...file, thumbnailUrl: null })),
});
