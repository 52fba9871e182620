import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A bucket that is closed for a part of its day. A process of the former release keeps it closed until the end of the day. */
export class ReopenedVideoQuota1790000000450 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway.video_quota ADD COLUMN closed_until timestamptz');
    await runner.query(`COMMENT ON COLUMN gateway.video_quota.closed_until IS
      'Of an exhausted bucket: when calls are tried again. null: not before the end of the day.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway.video_quota DROP COLUMN closed_until');
  }
}
