import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens with which a browser starts to connect an account, as hashes. Rows live for a minute. */
export class ConnectStart1790000000506 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE integrations.connect_start (
        token_hash bytea PRIMARY KEY,
        platform text NOT NULL,
        brand_id uuid NOT NULL,
        caller_authorization text NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE integrations.connect_start');
  }
}
