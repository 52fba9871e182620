import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Reach } from '#libs/auth';
import { isReached } from '#libs/auth';
import { Database, statement } from '#libs/database';

/** Ids of all brands in reach, ascending: as the brands belong now, whatever somebody was bound to before. */
export class ListBrandIds extends Query<string[]> {
  constructor(readonly reach: Reach) {
    super();
  }
}

const LIST = statement(
  'list_brand_ids',
  `SELECT b.id FROM brands.brand_view b WHERE ${isReached('b')} ORDER BY b.id`,
);

@QueryHandler(ListBrandIds)
export class ListBrandIdsHandler implements IQueryHandler<ListBrandIds> {
  constructor(private readonly database: Database) {}

  async execute({ reach: { organizationIds, brandIds } }: ListBrandIds): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(LIST, [organizationIds, brandIds]);
    return rows.map(({ id }) => id);
  }
}
