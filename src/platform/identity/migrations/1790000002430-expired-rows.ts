import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the sweep deletes is found by its time, not by reading every session and token. */
const INDEXES: Readonly<Record<string, string>> = {
  access_token_expiry: 'access_token (expires_at)',
  service_principal_token_expiry: 'service_principal_token (expires_at) WHERE expires_at IS NOT NULL',
  session_end: 'session (least(expires_at, revoked_at))',
  login_limit_age: 'login_limit (last_failed_at)',
  invitation_end: 'invitation (least(closed_at, expires_at))',
  familiar_network_age: 'familiar_network (last_seen_at)',
};

export class ExpiredRows1790000002430 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX ${name} ON identity.${on}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX identity.${name}`);
  }
}
