import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The answer to a refresh, kept for seconds for the client that lost it. Without both columns a repetition is a reuse. */
export class RefreshGrace1790000000309 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE identity.refresh_token ADD COLUMN answer bytea, ADD COLUMN answered_client bytea;
      COMMENT ON COLUMN identity.refresh_token.answer IS 'encrypted under a key derived from the token itself';
      CREATE INDEX refresh_token_answer ON identity.refresh_token (used_at) WHERE answer IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE identity.refresh_token DROP COLUMN answer, DROP COLUMN answered_client');
  }
}
