import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One row per reaction: cursor, owner, lease expiry and state. `fence` grows with every claim; a checkpoint with an
 * older fence is refused.
 */
export class Reactions1790000000001 implements MigrationInterface {
  readonly name = 'Reactions1790000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events.reaction (
        name text PRIMARY KEY,
        cursor_transaction_id xid8 NOT NULL DEFAULT '0',
        cursor_position bigint NOT NULL DEFAULT 0,
        state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'stopped')),
        error text,
        owner uuid,
        lease_until timestamptz NOT NULL DEFAULT '-infinity',
        fence bigint NOT NULL DEFAULT 0,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CHECK ((state = 'stopped') = (error IS NOT NULL))
      ) WITH (fillfactor = 50);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE events.reaction');
  }
}
