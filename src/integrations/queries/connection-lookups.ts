import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Platform } from '#libs/content';
import { RequestQuery } from '#libs/messages';
import { ConnectionsStore } from '../connections/connections.store.js';

/** Every brand, in all organizations, to which an account of this brand is connected; always includes the brand itself. */
export class FindBrandsOfSameAccounts extends RequestQuery<
  {
    readonly brandId: string;
    readonly platform: Platform;
  },
  string[]
> {}

@QueryHandler(FindBrandsOfSameAccounts)
export class FindBrandsOfSameAccountsHandler implements IQueryHandler<FindBrandsOfSameAccounts> {
  constructor(private readonly connections: ConnectionsStore) {}

  async execute({ request: { brandId, platform } }: FindBrandsOfSameAccounts): Promise<string[]> {
    return [...new Set([brandId, ...(await this.connections.brandsOfSameAccounts(brandId, platform))])];
  }
}

interface ConnectionOfAccount {
  readonly connectionId: string;
  readonly brandId: string;
}

/** Every connection to the account of this one, in all brands and organizations, including disconnected ones and itself. */
export class FindConnectionsOfSameAccount extends RequestQuery<
  {
    readonly connectionId: string;
  },
  ConnectionOfAccount[]
> {}

@QueryHandler(FindConnectionsOfSameAccount)
export class FindConnectionsOfSameAccountHandler implements IQueryHandler<FindConnectionsOfSameAccount> {
  constructor(private readonly connections: ConnectionsStore) {}

  execute({ request }: FindConnectionsOfSameAccount): Promise<ConnectionOfAccount[]> {
    return this.connections.ofSameAccount(request.connectionId);
  }
}

/** The account keys of connections by connection id, disconnected ones included. */
export class GetConnectionAccounts extends RequestQuery<
  {
    readonly connectionIds: readonly string[];
  },
  Map<string, string>
> {}

@QueryHandler(GetConnectionAccounts)
export class GetConnectionAccountsHandler implements IQueryHandler<GetConnectionAccounts> {
  constructor(private readonly connections: ConnectionsStore) {}

  execute({ request }: GetConnectionAccounts): Promise<Map<string, string>> {
    return this.connections.accountKeys(request.connectionIds);
  }
}

/** Whether the brand has this connection, of whatever network and state; not once it is disconnected. */
export class IsConnectionOfBrand extends RequestQuery<
  {
    readonly connectionId: string;
    readonly brandId: string;
  },
  boolean
> {}

@QueryHandler(IsConnectionOfBrand)
export class IsConnectionOfBrandHandler implements IQueryHandler<IsConnectionOfBrand> {
  constructor(private readonly connections: ConnectionsStore) {}

  async execute({ request: { connectionId, brandId } }: IsConnectionOfBrand): Promise<boolean> {
    const connection = await this.connections.find(connectionId);
    return connection?.brandId === brandId && connection.state !== 'disconnected';
  }
}
