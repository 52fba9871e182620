import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests for pictures with an Idempotency-Key, written before the payment: after a kill or a lost connection another process repeats
 * the call to the gateway with the same key, which does not pay again. `image_order` is everything that the call and the file need;
 * `due_at` is the end of the claim of the process that works on it, `attempts` its fencing token. Both are null once the picture is
 * stored; `result` is the response then. `fingerprint` is that of the order without its time limit.
 */
export class KeyedImages1790000000965 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ai.keyed_image (
        key text PRIMARY KEY,
        fingerprint text NOT NULL,
        image_order jsonb,
        attempts int NOT NULL DEFAULT 1,
        due_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        result jsonb,
        CHECK ((result IS NULL) = (image_order IS NOT NULL) AND (result IS NULL) = (due_at IS NOT NULL))
      )`);
    await runner.query('CREATE INDEX keyed_image_due ON ai.keyed_image (due_at) WHERE due_at IS NOT NULL');
    await runner.query('CREATE INDEX keyed_image_by_age ON ai.keyed_image (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ai.keyed_image');
  }
}
