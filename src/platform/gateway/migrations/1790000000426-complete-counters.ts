import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The former release completes a counter in the transaction that adds it, so that its rows are complete. */
export class CompleteCounters1790000000426 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE gateway.spend_counter ADD COLUMN is_complete boolean NOT NULL DEFAULT true',
    );
    await runner.query(
      'CREATE INDEX spend_counter_incomplete ON gateway.spend_counter (scope) WHERE NOT is_complete',
    );
    await runner.query(`COMMENT ON COLUMN gateway.spend_counter.is_complete IS
      'false: statements that began before the counter may be missing in it. Nothing is granted meanwhile.'`);
    await runner.query(`COMMENT ON COLUMN gateway.spend_limit.counted_from IS
      'When the limit was set. Windows that began later than a day after it have counted everything from their beginning.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway.spend_counter DROP COLUMN is_complete');
    await runner.query(`COMMENT ON COLUMN gateway.spend_limit.counted_from IS
      'Every attempt that was reserved later is in the counter. Earlier ones of its window were added when the limit was created.'`);
  }
}
