import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts per brand and UTC quarter-hour, the largest unit that divides the days of every zone. */
export class DailyRollup1790000000701 implements MigrationInterface {
  name = 'DailyRollup1790000000701';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE content_ops.daily_rollup (
        brand_id uuid NOT NULL,
        quarter_hour timestamptz NOT NULL CHECK (extract(epoch FROM quarter_hour) % 900 = 0),
        created int NOT NULL,
        suggested int NOT NULL,
        approved int NOT NULL,
        rejected int NOT NULL,
        scheduled int NOT NULL,
        published int NOT NULL,
        failed int NOT NULL,
        PRIMARY KEY (brand_id, quarter_hour)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE content_ops.daily_rollup');
  }
}
