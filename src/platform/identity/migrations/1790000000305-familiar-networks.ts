import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From where an account was signed in to, as hashes under a key that is not here: of an address alone all could be tried. */
export class FamiliarNetworks1790000000305 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE identity.familiar_network (
        hash bytea PRIMARY KEY,
        hash_version smallint NOT NULL,
        user_id uuid NOT NULL REFERENCES identity.user_account (id) ON DELETE CASCADE,
        last_seen_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX familiar_network_user ON identity.familiar_network (user_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE identity.familiar_network');
  }
}
