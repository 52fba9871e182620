import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `refresh_expires_at`: when the refresh token ends; null: not stated, or there is none. `end_announced_version`: version of the tokens
 * whose end was announced. `facts_due_at`: when the facts of the account are read again; rows of an older replica are read soon.
 */
const COLUMNS = `
  ALTER TABLE integrations.connection
    ADD COLUMN refresh_expires_at timestamptz,
    ADD COLUMN end_announced_version int,
    ADD COLUMN facts_due_at timestamptz NOT NULL DEFAULT now()`;

const WITHOUT = `
  ALTER TABLE integrations.connection
    DROP COLUMN refresh_expires_at, DROP COLUMN end_announced_version, DROP COLUMN facts_due_at`;

export class GrantsThatEnd1790000000531 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    await runner.query(
      `CREATE INDEX connection_facts_due ON integrations.connection (facts_due_at) WHERE state = 'active'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX integrations.connection_facts_due');
    await runner.query(WITHOUT);
  }
}
