import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { ConnectionsStore } from '../connections/connections.store.js';

export interface GetConnectionAccountsRequest {
  readonly connectionIds: readonly string[];
}

/** The account keys of connections by connection id, disconnected ones included. */
export class GetConnectionAccounts extends Query<Map<string, string>> {
  constructor(readonly request: GetConnectionAccountsRequest) {
    super();
  }
}

@QueryHandler(GetConnectionAccounts)
export class GetConnectionAccountsHandler implements IQueryHandler<GetConnectionAccounts> {
  constructor(private readonly connections: ConnectionsStore) {}

  execute({ request }: GetConnectionAccounts): Promise<Map<string, string>> {
    return this.connections.accountKeys(request.connectionIds);
  }
}
