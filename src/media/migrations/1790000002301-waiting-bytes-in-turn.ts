import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workers bring generated files of organizations to the store in turn. The trigger also names the brand for replicas of the former version. */
export class WaitingBytesInTurn1790000002301 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER name_brand ON media.waiting_bytes');
    await runner.query('ALTER TABLE media.waiting_bytes DROP COLUMN brand_id');
    await runner.query('CREATE INDEX waiting_bytes_due ON media.waiting_bytes (due_at)');
  }
}

const UP = [
  'ALTER TABLE media.waiting_bytes ADD COLUMN brand_id uuid',
  `CREATE TRIGGER name_brand BEFORE INSERT ON media.waiting_bytes FOR EACH ROW EXECUTE FUNCTION media.name_brand()`,
  `UPDATE media.waiting_bytes AS waiting SET brand_id = file.brand_id FROM media.file WHERE file.id = waiting.media_id`,
  'CREATE INDEX waiting_bytes_due_in_turn ON media.waiting_bytes (brand_id, due_at)',
  'DROP INDEX media.waiting_bytes_due',
];
