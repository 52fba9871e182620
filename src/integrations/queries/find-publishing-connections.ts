import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { RequestQuery } from '#libs/messages';
import {
  chooseConnection,
  type ConnectionChoice,
  type ConnectionRequest,
} from '../domain/connection-choice.js';
import { networkOf } from '../networks.js';
import { ConnectionsStore } from '../connections/connections.store.js';

export type { ConnectionChoice, ConnectionRequest, TargetMember } from '../domain/connection-choice.js';

/** One connection or none per post, in their order, by one query; takes part in the caller's transaction. */
export class FindPublishingConnections extends RequestQuery<
  {
    readonly posts: readonly ConnectionRequest[];
  },
  ConnectionChoice[]
> {}

@QueryHandler(FindPublishingConnections)
export class FindPublishingConnectionsHandler implements IQueryHandler<FindPublishingConnections> {
  constructor(private readonly connections: ConnectionsStore) {}

  async execute({ request: { posts } }: FindPublishingConnections): Promise<ConnectionChoice[]> {
    const candidates = await this.connections.candidates(posts);
    return posts.map((post) =>
      chooseConnection(candidates.get(`${post.brandId}:${post.platform}`) ?? [], choosing(post)),
    );
  }
}

/** Earlier releases accepted pages for networks that have none, and published to the account. */
function choosing(post: ConnectionRequest): ConnectionRequest {
  if (!post.target || networkOf(post.platform).rules.hasPages !== false) return post;
  const { connectionId, accountId } = post.target;
  return { ...post, target: { connectionId, accountId } };
}
