import { Injectable } from '@nestjs/common';
import type { Caller, Scope } from '#libs/auth';
import { eventContext, ScopeIsMissing } from '#libs/auth';
import { Database, statement } from '#libs/database';
import type { EventMetadata } from '#libs/event-store';
import type { PostDetails } from './post-details.js';
import { PostNotFound } from './post.errors.js';
import type { By } from './post.events.js';

/** A post as the caller may see it, and where it belongs just now. */
export interface Reached {
  readonly post: PostDetails;
  readonly organizationId: string;
  readonly context: EventMetadata;
}

const FIND = statement(
  'find_post_and_its_organization',
  `SELECT v.details, b.organization_id FROM posts.post_view v
   JOIN brands.brand_view b ON b.id = v.brand_id WHERE v.id = $1`,
);

/** Whose post it is follows its brand, asked anew every time: a brand may have moved. */
@Injectable()
export class PostsAccess {
  constructor(private readonly database: Database) {}

  /** @throws PostNotFound also when it is none of the caller's; ScopeIsMissing when one of the scopes is. */
  async reach(postId: string, caller: Caller, ...scopes: Scope[]): Promise<Reached> {
    const [row] = await this.database.query<{ details: PostDetails; organization_id: string }>(FIND, [
      postId,
    ]);
    if (!row) throw new PostNotFound();
    const place = { organizationId: row.organization_id, brandId: row.details.brandId };
    for (const scope of scopes) {
      const answer = caller.may(scope, place);
      if (answer === 'unknown') throw new PostNotFound();
      if (answer === 'forbidden') throw new ScopeIsMissing(scopes);
    }
    return { post: row.details, organizationId: row.organization_id, context: eventContext(caller, place) };
  }
}

export const byOf = (caller: Caller): By => ({ type: caller.type, id: caller.id });

/** What setting a post's time takes; a program's time is a proposal and takes less. */
export const scopesFor = (change: { readonly setsTime: boolean }): Scope[] =>
  change.setsTime ? ['posts.write', 'calendar.write'] : ['posts.write'];
