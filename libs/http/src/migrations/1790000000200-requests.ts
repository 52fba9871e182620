import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stored responses of requests with an idempotency key, and counters of rate limits. */
export class Requests1790000000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE SCHEMA IF NOT EXISTS http`);
    await runner.query(`
      CREATE TABLE http.idempotent_request (
        key bytea PRIMARY KEY,
        fingerprint bytea NOT NULL,
        owner uuid NOT NULL,
        lease_until timestamptz NOT NULL,
        response jsonb,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`CREATE INDEX idempotent_request_expires_at ON http.idempotent_request (expires_at)`);
    await runner.query(`
      COMMENT ON TABLE http.idempotent_request IS
        'One row per Idempotency-Key of a principal, method and path; response is null while the request runs.'`);
    // Unlogged: counters of the current window are useless after a crash.
    await runner.query(`
      CREATE UNLOGGED TABLE http.rate_limit (
        key varchar(255) PRIMARY KEY,
        points integer NOT NULL DEFAULT 0,
        expire bigint
      )`);
    await runner.query(`COMMENT ON COLUMN http.rate_limit.expire IS 'Milliseconds since 1970.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE http.rate_limit`);
    await runner.query(`DROP TABLE http.idempotent_request`);
    await runner.query(`DROP SCHEMA http`);
  }
}
