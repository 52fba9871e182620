import type { DataSource } from 'typeorm';

export class MigrationsAreMissing extends Error {
  constructor() {
    super('The database has migrations that are not applied. Run `npm run migration:run`, then start again.');
    this.name = 'MigrationsAreMissing';
  }
}

/**
 * * Requires all migrations of this build. Ignores unknown ones, because old processes run on the new schema during a rolling
 * release. Migrations keep everything old processes need to be correct (expand, then contract). They may drop an index that
 * only old queries use.
 * @throws MigrationsAreMissing
 */
export async function assertMigrated(dataSource: DataSource): Promise<void> {
  if (await dataSource.showMigrations()) throw new MigrationsAreMissing();
}
