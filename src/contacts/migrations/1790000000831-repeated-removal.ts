import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns that `UnownedObjects` of libs/uploads reads. Attachments are uploaded through the API: theirs stay null. */
export class RepeatedRemoval1790000000831 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE contacts.object_to_remove ADD COLUMN writable_until timestamptz, ADD COLUMN upload_id text',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE contacts.object_to_remove DROP COLUMN writable_until, DROP COLUMN upload_id',
    );
  }
}
