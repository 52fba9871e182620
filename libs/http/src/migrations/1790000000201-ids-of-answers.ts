import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ids in stored responses, so that those about one resource are found by index. */
export class IdsOfAnswers1790000000201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE http.idempotent_request ADD COLUMN ids uuid[]');
    await runner.query(
      'CREATE INDEX idempotent_request_ids ON http.idempotent_request USING gin (ids) WITH (fastupdate = off)',
    );
    // For responses stored by processes of the former release; all expire a day after the last of them ended.
    await runner.query(
      `CREATE INDEX idempotent_request_without_ids ON http.idempotent_request (key)
       WHERE ids IS NULL AND response IS NOT NULL`,
    );
    await runner.query(`
      COMMENT ON COLUMN http.idempotent_request.ids IS
        'Every UUID in the body of the response; NULL while the request runs.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE http.idempotent_request DROP COLUMN ids');
  }
}
