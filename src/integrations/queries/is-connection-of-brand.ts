import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { ConnectionsStore } from '../connections/connections.store.js';

export interface IsConnectionOfBrandRequest {
  readonly connectionId: string;
  readonly brandId: string;
}

/** Whether the brand has this connection, of whatever network and state; not once it is disconnected. */
export class IsConnectionOfBrand extends Query<boolean> {
  constructor(readonly request: IsConnectionOfBrandRequest) {
    super();
  }
}

@QueryHandler(IsConnectionOfBrand)
export class IsConnectionOfBrandHandler implements IQueryHandler<IsConnectionOfBrand> {
  constructor(private readonly connections: ConnectionsStore) {}

  async execute({ request: { connectionId, brandId } }: IsConnectionOfBrand): Promise<boolean> {
    const connection = await this.connections.find(connectionId);
    return connection?.brandId === brandId && connection.state !== 'disconnected';
  }
}
