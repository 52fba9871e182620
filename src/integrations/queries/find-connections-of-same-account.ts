import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { ConnectionsStore } from '../connections/connections.store.js';

export interface ConnectionOfAccount {
  readonly connectionId: string;
  readonly brandId: string;
}

export interface FindConnectionsOfSameAccountRequest {
  readonly connectionId: string;
}

/** Every connection to the account of this one, in all brands and organizations, including disconnected ones and itself. */
export class FindConnectionsOfSameAccount extends Query<ConnectionOfAccount[]> {
  constructor(readonly request: FindConnectionsOfSameAccountRequest) {
    super();
  }
}

@QueryHandler(FindConnectionsOfSameAccount)
export class FindConnectionsOfSameAccountHandler implements IQueryHandler<FindConnectionsOfSameAccount> {
  constructor(private readonly connections: ConnectionsStore) {}

  execute({ request }: FindConnectionsOfSameAccount): Promise<ConnectionOfAccount[]> {
    return this.connections.ofSameAccount(request.connectionId);
  }
}
