import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A ready file whose object the store lost is rejected, and keeps its entry, bytes and facts: the object may come back. Only a file that
 * never was ready is without facts.
 */
export class LostOriginals1790000002300 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return replace(runner, {
      counted: `status <> 'rejected' OR facts IS NOT NULL`,
      removed: `OLD.status NOT IN ('ready', 'rejected')`,
      expiring: `status = 'rejected' AND facts IS NULL`,
    });
  }

  down(runner: QueryRunner): Promise<void> {
    return replace(runner, {
      counted: `status <> 'rejected'`,
      removed: `OLD.status <> 'rejected'`,
      expiring: `status = 'rejected'`,
    });
  }
}

/**
 * @param counted files whose bytes count @param removed files whose object is removed when they are rejected
 * @param expiring files whose entry is deleted after a while
 */
async function replace(
  runner: QueryRunner,
  { counted, removed, expiring }: Record<'counted' | 'removed' | 'expiring', string>,
): Promise<void> {
  await runner.query(`CREATE OR REPLACE FUNCTION media.count_file_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM media.charge(array_agg(brand_id), array_agg(bytes * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END))
     FROM (SELECT brand_id, sum(bytes)::bigint AS bytes FROM changed WHERE ${counted} GROUP BY brand_id) AS sums
     HAVING count(*) > 0;
     RETURN NULL;
   END $$`);
  await runner.query(`CREATE OR REPLACE TRIGGER reject AFTER UPDATE OF status ON media.file FOR EACH ROW
   WHEN (${removed} AND NEW.status = 'rejected') EXECUTE FUNCTION media.reject_file()`);
  await runner.query('DROP INDEX media.file_rejected');
  await runner.query(`CREATE INDEX file_rejected ON media.file (updated_at) WHERE ${expiring}`);
}
