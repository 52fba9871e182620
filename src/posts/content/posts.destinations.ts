import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type ConnectionChoice, FindPublishingConnections } from '../../integrations/index.js';
import { duplicatesIn } from '../domain/batch.js';
import type { PostDetails } from '../views/post-details.js';

export type AddressedPost = Pick<PostDetails, 'brandId' | 'platform' | 'authorId' | 'target'>;

export interface Destination {
  /** Equal keys mean the same account and target. Without a connected account, the key is made of the target of the post. */
  readonly key: string;
  readonly choice: ConnectionChoice | undefined;
}

/** The accounts that posts would be published by if they were due now. */
@Injectable()
export class PostsDestinations {
  constructor(private readonly queries: QueryBus) {}

  /** For each content the index of the first one before it that the same account would publish; null if there is none. */
  async duplicatesIn(
    contents: readonly (Omit<AddressedPost, 'target'> & {
      readonly content: Pick<AddressedPost, 'target'>;
    })[],
  ): Promise<(number | null)[]> {
    const addressed = contents.map(({ content: { target }, ...rest }) => ({ ...rest, target }));
    return duplicatesIn((await this.of(addressed)).map(({ key }) => key));
  }

  /** In the order of the posts, by one query. */
  async of(posts: readonly AddressedPost[]): Promise<Destination[]> {
    const choices = await this.queries.execute(new FindPublishingConnections({ posts }));
    return posts.map((post, index) => ({ key: keyOf(post, choices[index]), choice: choices[index] }));
  }
}

function keyOf({ brandId, platform, target }: AddressedPost, choice: ConnectionChoice | undefined): string {
  const { connectionId, accountId, pageId, groupId, organizationId } = target;
  const named = [pageId, groupId, organizationId];
  if (choice?.kind !== 'connection')
    return JSON.stringify([brandId, platform, connectionId, accountId, ...named]);
  // A page that is an account of its own names the account once more.
  const within = named.map((id) => (id === choice.account.accountId ? undefined : id));
  return JSON.stringify([choice.accountKey, ...within]);
}
