import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Networks that did not answer lately. `failed_accounts`: those whose last attempt had no answer, since the network last answered
 * any; emptied by an answer. `open_since`: nothing is sent to the network but a probe, next at `probe_at`.
 */
const NETWORK_OUTAGE = `
  CREATE TABLE integrations.network_outage (
    platform text PRIMARY KEY,
    failed_accounts text[] NOT NULL,
    failed_at timestamptz NOT NULL,
    failure jsonb NOT NULL,
    open_since timestamptz,
    probe_at timestamptz,
    probes int NOT NULL DEFAULT 0,
    closed_at timestamptz,
    CHECK ((open_since IS NULL) = (probe_at IS NULL))
  )`;

export class NetworkOutages1790000000520 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(NETWORK_OUTAGE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE integrations.network_outage');
  }
}
