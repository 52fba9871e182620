import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { chooseConnection } from '../domain/connection-choice.js';
import type { ConnectionChoice, ConnectionRequest } from '../domain/connection-choice.js';
import { ConnectionsStore } from '../connections/connections.store.js';

export type { ConnectionChoice, ConnectionRequest } from '../domain/connection-choice.js';

/** One answer per request, in their order, by one query; takes part in the caller's transaction. */
export class FindPublishingConnections extends Query<ConnectionChoice[]> {
  constructor(readonly requests: readonly ConnectionRequest[]) {
    super();
  }
}

@QueryHandler(FindPublishingConnections)
export class FindPublishingConnectionsHandler implements IQueryHandler<FindPublishingConnections> {
  constructor(private readonly connections: ConnectionsStore) {}

  async execute({ requests }: FindPublishingConnections): Promise<ConnectionChoice[]> {
    const candidates = await this.connections.candidates(requests);
    return requests.map((request) =>
      chooseConnection(candidates.get(`${request.brandId}:${request.platform}`) ?? [], request),
    );
  }
}
