import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { ConnectionsStore } from '../connections/connections.store.js';

/** The account keys of connections by connection id, disconnected ones included. */
export class GetConnectionAccounts extends Query<Map<string, string>> {
  constructor(readonly connectionIds: readonly string[]) {
    super();
  }
}

@QueryHandler(GetConnectionAccounts)
export class GetConnectionAccountsHandler implements IQueryHandler<GetConnectionAccounts> {
  constructor(private readonly connections: ConnectionsStore) {}

  execute({ connectionIds }: GetConnectionAccounts): Promise<Map<string, string>> {
    return this.connections.accountKeys(connectionIds);
  }
}
