import { type DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { repeated, WAITS_MS } from './repeated.js';

export type MigrationClass = new () => MigrationInterface;

export class MigrationsAreMissing extends Error {
  constructor() {
    super('The database has migrations that are not applied. Run `npm run migration:run`, then start again.');
    this.name = 'MigrationsAreMissing';
  }
}

/**
 * Requires all migrations of this build. Ignores unknown ones, because old processes run on the new schema during a rolling
 * release. Migrations keep everything old processes need to be correct (expand, then contract). They may drop an index that
 * only old queries use.
 * @throws MigrationsAreMissing
 */
export async function assertMigrated(dataSource: DataSource): Promise<void> {
  if (await dataSource.showMigrations()) throw new MigrationsAreMissing();
}

/**
 * Applies the missing migrations, each in its own transaction. Repeats one that did not get its locks in time.
 * @param waitsMs before each repetition, in milliseconds
 * @returns the names of the applied migrations. @throws the error of the last try
 */
export async function applyMigrations(
  dataSource: DataSource,
  waitsMs: readonly number[] = WAITS_MS.long,
): Promise<string[]> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  await repeated(() => dataSource.runMigrations(), waitsMs);
  return pending.map(({ name }) => name);
}

/**
 * The same migration with a limit of its waits for locks. All later requests for a table wait behind a migration that waits for
 * it, so that one long transaction would stop the table for everybody.
 */
export function withLockTimeout(migration: MigrationClass, milliseconds: number): MigrationClass {
  const limit = (runner: QueryRunner) => runner.query(`SET LOCAL lock_timeout = ${milliseconds}`);
  const limited = class extends migration {
    override async up(runner: QueryRunner): Promise<void> {
      await limit(runner);
      await super.up(runner);
    }

    override async down(runner: QueryRunner): Promise<void> {
      await limit(runner);
      await super.down(runner);
    }
  };
  // TypeORM stores it.
  return Object.defineProperty(limited, 'name', { value: migration.name });
}
