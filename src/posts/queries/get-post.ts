import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import { Database, statement } from '#libs/database';
import type { PostItem } from '../views/post-item.js';
import { ITEM_COLUMNS, itemOfRow, type ItemRow, JOIN_PREDECESSOR } from '../views/post-row.view.js';
import { PostNotFound } from '../domain/post.errors.js';
import { ShownPosts } from './shown-posts.js';

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
export class GetPost extends Query<PostItem> {
  constructor(readonly request: WhichPost) {
    super();
  }
}

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
