import type { DataSource } from 'typeorm';

export class MigrationsAreMissing extends Error {
  constructor() {
    super('The database has migrations that are not applied. Run `npm run migration:run`, then start again.');
    this.name = 'MigrationsAreMissing';
  }
}

/** A started service runs on the schema it was built for, or not at all. @throws MigrationsAreMissing */
export async function refuseUnmigrated(dataSource: DataSource): Promise<void> {
  if (await dataSource.showMigrations()) {
    await dataSource.destroy();
    throw new MigrationsAreMissing();
  }
}
