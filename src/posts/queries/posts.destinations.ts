import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { FindPublishingConnections } from '../../integrations/index.js';
import type { PostDetails } from '../views/post-details.js';

export type AddressedPost = Pick<PostDetails, 'brandId' | 'platform' | 'authorId' | 'target'>;

/** Where posts would go out if they went now. */
@Injectable()
export class PostsDestinations {
  constructor(private readonly queries: QueryBus) {}

  /**
   * One key per post, in their order; equal keys are the same place. That of the account a publisher would choose; while
   * there is none to choose, what the post itself says.
   */
  async of(posts: readonly AddressedPost[]): Promise<string[]> {
    const choices = await this.queries.execute(new FindPublishingConnections(posts));
    return posts.map(({ brandId, platform, target }, index) => {
      const choice = choices[index];
      const { connectionId, accountId, pageId, groupId, organizationId } = target;
      const account =
        choice?.kind === 'connection' ? [choice.accountKey] : [brandId, platform, connectionId, accountId];
      return JSON.stringify([...account, pageId, groupId, organizationId]);
    });
  }
}
