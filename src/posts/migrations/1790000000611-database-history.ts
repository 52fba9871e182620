import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which history of the database this is: the cluster's system identifier and its timeline, which changes with every
 * promotion and point-in-time restore. Both are readable for every role unless an administrator revoked that; null then.
 * The timeline comes from the WAL position, because pg_control_checkpoint() shows a promotion only after the next
 * checkpoint; where a managed service refuses the WAL position, from there all the same.
 */
const IDENTITY = `
  CREATE FUNCTION posts.database_timeline() RETURNS int LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int;
  EXCEPTION WHEN OTHERS THEN
    RETURN (SELECT timeline_id FROM pg_control_checkpoint());
  END $$;
  CREATE FUNCTION posts.database_history() RETURNS text LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN (SELECT system_identifier FROM pg_control_system()) || '/' || posts.database_timeline();
  EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
  END $$`;

/** Posts that were due between the two instants may have been sent in a history that this database has lost. */
const RECOVERY = `
  CREATE TABLE posts.recovery (
    only_row boolean PRIMARY KEY CHECK (only_row),
    history text NOT NULL,
    seen_at timestamptz NOT NULL,
    lost_from timestamptz,
    lost_until timestamptz,
    CHECK ((lost_from IS NULL) = (lost_until IS NULL))
  )`;

export class DatabaseHistory1790000000611 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(IDENTITY);
    await runner.query(RECOVERY);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE posts.recovery;
      DROP FUNCTION posts.database_history();
      DROP FUNCTION posts.database_timeline()`);
  }
}
