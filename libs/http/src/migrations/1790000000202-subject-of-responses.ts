import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a stored response is about, as its route declares it, so that erasing a person finds it without reading bodies. */
export class SubjectOfResponses1790000000202 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE http.idempotent_request ADD COLUMN subject text');
    await runner.query(
      `CREATE INDEX idempotent_request_subject ON http.idempotent_request (subject) WHERE subject <> ''`,
    );
    await runner.query(`
      COMMENT ON COLUMN http.idempotent_request.subject IS
        'What the route says its responses are about; empty when their ids are enough; NULL while the request runs.'`);
    // A process of the former release takes an expired key without clearing the column.
    await runner.query(`
      CREATE FUNCTION http.clear_subject() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.subject := NULL;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER clear_subject BEFORE UPDATE ON http.idempotent_request
      FOR EACH ROW WHEN (NEW.response IS NULL AND NEW.subject IS NOT NULL) EXECUTE FUNCTION http.clear_subject()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER clear_subject ON http.idempotent_request');
    await runner.query('DROP FUNCTION http.clear_subject()');
    await runner.query('ALTER TABLE http.idempotent_request DROP COLUMN subject');
  }
}
