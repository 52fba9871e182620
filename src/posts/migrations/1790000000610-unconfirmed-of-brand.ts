import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Posts of a brand that ever had an unconfirmed attempt: read for every attempt that is reconciled. Of the log, because
 * what the network shows may belong to a post that was deleted since.
 */
export class UnconfirmedOfBrand1790000000610 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX unconfirmed_of_brand ON events.event ((data->>'brandId'))
       WHERE type = 'PostPublishFailed' AND data->'failure'->>'class' = 'unconfirmed'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events.unconfirmed_of_brand');
  }
}
