import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As whom the API last started at each network, as a hash: tells a refusal of this service from one of who it was before. */
export class ProviderSetup1790000000501 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE integrations.provider_setup (platform text PRIMARY KEY, setup_hash bytea NOT NULL)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE integrations.provider_setup');
  }
}
