import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A counter's window is found when it is over. The end changes once a window, not with each count. */
export class ExpiredCounters1790000002400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX rate_limit_expire ON http.rate_limit (expire)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX http.rate_limit_expire');
  }
}
