import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `taken_back_from`: the attempt that a takeover found dead before the irreversible call; it does not begin again. `waited_ms`:
 * over all waits for this content. `restarted`: how often its steps began again because the network had dropped them.
 */
const BOUNDS = `
  ALTER TABLE integrations.publish_preparation
    ADD COLUMN taken_back_from uuid,
    ADD COLUMN waited_ms integer NOT NULL DEFAULT 0,
    ADD COLUMN restarted integer NOT NULL DEFAULT 0`;

const WITHOUT = `
  ALTER TABLE integrations.publish_preparation
    DROP COLUMN taken_back_from, DROP COLUMN waited_ms, DROP COLUMN restarted`;

export class PreparationBounds1790000000509 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(BOUNDS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(WITHOUT);
  }
}
