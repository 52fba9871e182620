import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = `
ALTER TABLE gateway.credential
  ADD COLUMN breaker_failures int NOT NULL DEFAULT 0 CHECK (breaker_failures >= 0),
  ADD COLUMN breaker_failed_at timestamptz;
COMMENT ON COLUMN gateway.credential.breaker_failures IS
  'failures in a row, each at most a minute after the one before; enough of them open the breaker';
`;

/** Counts of failures that open circuit breakers. */
export class Breakers1790000000360 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE gateway.credential DROP COLUMN breaker_failed_at, DROP COLUMN breaker_failures',
    );
  }
}
