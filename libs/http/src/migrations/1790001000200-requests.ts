import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `ids` has a GIN index, and `subject` one, so that responses about a resource or person are found without reading bodies. */
const RESPONSES = `
  CREATE TABLE http.idempotent_request (
    key bytea PRIMARY KEY,
    fingerprint bytea NOT NULL,
    owner uuid NOT NULL,
    lease_until timestamptz NOT NULL,
    response jsonb,
    expires_at timestamptz NOT NULL,
    ids uuid[],
    subject text
  );
  CREATE INDEX idempotent_request_expires_at ON http.idempotent_request (expires_at);
  CREATE INDEX idempotent_request_ids ON http.idempotent_request USING gin (ids) WITH (fastupdate = off);
  CREATE INDEX idempotent_request_subject ON http.idempotent_request (subject) WHERE subject <> '';

  COMMENT ON TABLE http.idempotent_request IS
    'One row per Idempotency-Key of a principal, method and path; response is null while the request runs.';
  COMMENT ON COLUMN http.idempotent_request.ids IS
    'Every UUID in the body of the response; NULL while the request runs.';
  COMMENT ON COLUMN http.idempotent_request.subject IS
    'What the route says its responses are about; empty when their ids are enough; NULL while the request runs.'`;

/** Unlogged: counters of the current window are useless after a crash. `expire` changes once a window, not with each count. */
const RATE_LIMITS = `
  CREATE UNLOGGED TABLE http.rate_limit (
    key varchar(255) PRIMARY KEY,
    points integer NOT NULL DEFAULT 0,
    expire bigint
  );
  CREATE INDEX rate_limit_expire ON http.rate_limit (expire);
  COMMENT ON COLUMN http.rate_limit.expire IS 'Milliseconds since 1970.'`;

/** Stored responses of requests with an idempotency key, and counters of rate limits. */
export class Requests1790001000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA http');
    for (const sql of [RESPONSES, RATE_LIMITS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA http CASCADE');
  }
}
