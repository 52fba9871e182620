import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which post a network's id was given to: read for every attempt that is reconciled. Of the log, because it knows the
 * posts that were deleted since, too.
 */
export class PublishedUnder1790000000601 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX published_under ON events.event ((data->>'platformPostId'))
       WHERE type IN ('PostPublished', 'DeliveryResolved')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events.published_under');
  }
}
