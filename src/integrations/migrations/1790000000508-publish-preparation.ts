import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Posts that a network needs several steps for: where each one is. `step` null: everything is there for the irreversible call.
 * `committing`: the attempt began that call. `state`: ids, upload and session addresses, encrypted; null once the account is
 * disconnected.
 */
const PREPARATION = `
  CREATE TABLE integrations.publish_preparation (
    post_id uuid PRIMARY KEY,
    connection_id uuid NOT NULL,
    fingerprint text NOT NULL,
    attempt_id uuid,
    committing boolean NOT NULL DEFAULT false,
    step text,
    state text,
    began_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX publish_preparation_connection ON integrations.publish_preparation (connection_id);
  CREATE INDEX publish_preparation_updated ON integrations.publish_preparation (updated_at)`;

export class PublishPreparation1790000000508 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PREPARATION);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE integrations.publish_preparation');
  }
}
