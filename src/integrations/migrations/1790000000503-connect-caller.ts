import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose session began a sign-in, sealed: the caller is asked for again when it returns. Rows live for ten minutes. */
export class ConnectCaller1790000000503 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE integrations.authorization_request ADD COLUMN caller_authorization text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE integrations.authorization_request DROP COLUMN caller_authorization');
  }
}
