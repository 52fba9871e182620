import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts of one sign-in may share the consent of one person. An older replica leaves the column empty: the account then stands
 * for itself, as before. The new index also covers tokens that are renewed without a refresh token.
 */
export class SharedConsents1790000000507 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE integrations.connection ADD COLUMN consent_id text');
    await runner.query(
      `CREATE INDEX connection_consent ON integrations.connection (platform, consent_id) WHERE consent_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX connection_active_expiring ON integrations.connection (access_expires_at) WHERE state = 'active'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX integrations.connection_active_expiring');
    await runner.query('DROP INDEX integrations.connection_consent');
    await runner.query('ALTER TABLE integrations.connection DROP COLUMN consent_id');
  }
}
