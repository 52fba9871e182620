import { Injectable } from '@nestjs/common';
import type { Caller, Scope } from '#libs/auth';
import { Database, statement } from '#libs/database';
import type { PostItem } from './post-item.js';
import type { ItemRow } from './post-row.view.js';
import { ITEM_COLUMNS, itemOfRow, JOIN_BEFORE } from './post-row.view.js';
import { PostNotFound } from './post.errors.js';

const GET = statement(
  'get_post',
  `SELECT ${ITEM_COLUMNS} FROM posts.post_view v JOIN brands.brand_view b ON b.id = v.brand_id
   ${JOIN_BEFORE} WHERE v.id = $1`,
);

@Injectable()
export class PostsReader {
  constructor(private readonly database: Database) {}

  /** @throws PostNotFound also when it is none of the caller's; ScopeIsMissing without `scope` */
  async get(postId: string, caller: Caller, scope: Scope = 'posts.read'): Promise<PostItem> {
    const [row] = await this.database.query<ItemRow>(GET, [postId]);
    if (!row) throw new PostNotFound();
    const place = { organizationId: row.organization_id, brandId: row.details.brandId };
    caller.must(scope, place, () => new PostNotFound());
    return itemOfRow(row);
  }
}
