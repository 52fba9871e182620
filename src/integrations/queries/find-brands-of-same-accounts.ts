import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Platform } from '#libs/content';
import { ConnectionsStore } from '../connections/connections.store.js';

export interface FindBrandsOfSameAccountsRequest {
  readonly brandId: string;
  readonly platform: Platform;
}

/** Every brand, in all organizations, to which an account of this brand is connected; always includes the brand itself. */
export class FindBrandsOfSameAccounts extends Query<string[]> {
  constructor(readonly request: FindBrandsOfSameAccountsRequest) {
    super();
  }
}

@QueryHandler(FindBrandsOfSameAccounts)
export class FindBrandsOfSameAccountsHandler implements IQueryHandler<FindBrandsOfSameAccounts> {
  constructor(private readonly connections: ConnectionsStore) {}

  async execute({ request: { brandId, platform } }: FindBrandsOfSameAccounts): Promise<string[]> {
    return [...new Set([brandId, ...(await this.connections.brandsOfSameAccounts(brandId, platform))])];
  }
}
