import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Due messages by organization and kind of credential, so that one slow mail server does not hold all connections. */
export class EmailLanes1790000000373 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX email_message_lanes ON gateway.email_message (organization_id, is_platform, due_at)
        WHERE due_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX gateway.email_message_lanes;');
  }
}
