import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What rules of a network depend on and differs between its accounts, such as a subscription. */
export class AccountFacts1790000000511 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE integrations.connection ADD COLUMN facts jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE integrations.connection DROP COLUMN facts');
  }
}
