import type { DataSource } from 'typeorm';

export class MigrationsAreMissing extends Error {
  constructor() {
    super('The database has migrations that are not applied. Run `npm run migration:run`, then start again.');
    this.name = 'MigrationsAreMissing';
  }
}

/**
 * A started service finds all that it was built for. It does not mind migrations that it does not know: while a deployment
 * rolls, old processes run on the new schema. It takes nothing that they need to be right (expand, then contract); an index
 * that only their queries use may go, and they are slower until they are replaced.
 * @throws MigrationsAreMissing
 */
export async function refuseUnmigrated(dataSource: DataSource): Promise<void> {
  if (await dataSource.showMigrations()) throw new MigrationsAreMissing();
}
