import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { FindPublishingConnections } from '../../integrations/index.js';
import { duplicatesIn } from '../domain/batch.js';
import type { PostDetails } from '../views/post-details.js';

export type AddressedPost = Pick<PostDetails, 'brandId' | 'platform' | 'authorId' | 'target'>;

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
    return duplicatesIn(
      await this.of(contents.map(({ content: { target }, ...rest }) => ({ ...rest, target }))),
    );
  }

  /**
   * @returns one key per post, in their order; equal keys mean the same account and target. Without a connected account,
   * the key is made of the target of the post.
   */
  async of(posts: readonly AddressedPost[]): Promise<string[]> {
    const choices = await this.queries.execute(new FindPublishingConnections({ posts }));
    return posts.map(({ brandId, platform, target }, index) => {
      const choice = choices[index];
      const { connectionId, accountId, pageId, groupId, organizationId } = target;
      const named = [pageId, groupId, organizationId];
      if (choice?.kind !== 'connection')
        return JSON.stringify([brandId, platform, connectionId, accountId, ...named]);
      // A page that is an account of its own names the account once more.
      const within = named.map((id) => (id === choice.account.accountId ? undefined : id));
      return JSON.stringify([choice.accountKey, ...within]);
    });
  }
}
