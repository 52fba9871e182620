import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Database, statement } from '#libs/database';

/** Ids of all brands of these organizations, ascending. */
export class ListBrandIds extends Query<string[]> {
  constructor(readonly which: { readonly organizationIds: readonly string[] }) {
    super();
  }
}

const LIST = statement(
  'list_brand_ids',
  'SELECT id FROM brands.brand_view WHERE organization_id = ANY($1::uuid[]) ORDER BY id',
);

@QueryHandler(ListBrandIds)
export class ListBrandIdsHandler implements IQueryHandler<ListBrandIds> {
  constructor(private readonly database: Database) {}

  async execute({ which }: ListBrandIds): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(LIST, [which.organizationIds]);
    return rows.map(({ id }) => id);
  }
}
