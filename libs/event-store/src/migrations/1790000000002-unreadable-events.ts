import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The event that a replica of an older release could not read, and since when no replica could. It applies only while the
 * cursor is before it, so it needs no reset.
 */
export class UnreadableEvents1790000000002 implements MigrationInterface {
  readonly name = 'UnreadableEvents1790000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.reaction
        ADD COLUMN unreadable text,
        ADD COLUMN unreadable_since timestamptz,
        ADD COLUMN unreadable_transaction_id xid8,
        ADD COLUMN unreadable_position bigint;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.reaction
        DROP COLUMN unreadable,
        DROP COLUMN unreadable_since,
        DROP COLUMN unreadable_transaction_id,
        DROP COLUMN unreadable_position;
    `);
  }
}
