import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first part of a text of SecretBox, which names its key. In the order of bytes, so that no key id is after '~'. */
const keyOf = (column: string) => `split_part(${column}, '.', 1) COLLATE "C"`;

/** What sweeps look for: each is a range of an index, so that they read what is due and nothing else. */
export class DueConnections1790000002410 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX integrations.connection_expiring, integrations.connection_active_expiring',
    );
    await runner.query(`
      CREATE INDEX connection_expiring ON integrations.connection (platform, access_expires_at) WHERE state = 'active'`);
    await runner.query(`
      CREATE INDEX connection_ending ON integrations.connection
        (platform, (CASE WHEN refresh_token IS NULL THEN access_expires_at ELSE refresh_expires_at END))
        WHERE state = 'active' AND end_announced_version IS DISTINCT FROM token_version`);
    await runner.query(`
      CREATE INDEX connection_by_key ON integrations.connection
        ((${keyOf('access_token')} || ' ' || ${keyOf('coalesce(refresh_token, access_token)')}), id)
        WHERE access_token IS NOT NULL`);
    await runner.query(`
      CREATE INDEX publish_preparation_by_key ON integrations.publish_preparation ((${keyOf('state')}), post_id)
        WHERE state IS NOT NULL`);
    await runner.query('CREATE INDEX connect_start_expired ON integrations.connect_start (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX integrations.connect_start_expired, integrations.publish_preparation_by_key,
        integrations.connection_by_key, integrations.connection_ending, integrations.connection_expiring`);
    await runner.query(`
      CREATE INDEX connection_expiring ON integrations.connection (access_expires_at)
        WHERE state = 'active' AND refresh_token IS NOT NULL`);
    await runner.query(
      `CREATE INDEX connection_active_expiring ON integrations.connection (access_expires_at) WHERE state = 'active'`,
    );
  }
}
