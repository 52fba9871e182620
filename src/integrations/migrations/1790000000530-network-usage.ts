import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How much of the limits of networks is used. `account_id` is empty for a limit of the whole service. `used`: uses in each part of
 * the window, oldest first; `part`: number of the last one since 1970, 0 for windows of one part. `taken`: uses ever taken, which
 * orders them. Rows are updated for each post: the free space keeps updates in their page.
 */
const NETWORK_USAGE = `
  CREATE TABLE integrations.network_usage (
    platform text NOT NULL,
    account_id text NOT NULL,
    counter text NOT NULL,
    used int[] NOT NULL DEFAULT '{}',
    part bigint NOT NULL DEFAULT 0,
    resets_at timestamptz NOT NULL DEFAULT '-infinity',
    closed_until timestamptz,
    stated_max int,
    taken bigint NOT NULL DEFAULT 0,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (platform, account_id, counter)
  ) WITH (fillfactor = 50)`;

export class NetworkUsage1790000000530 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(NETWORK_USAGE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE integrations.network_usage');
  }
}
