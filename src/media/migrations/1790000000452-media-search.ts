import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `wanted`: a query for files with all given words in any order, the last one as a prefix; null without a searchable word. The
 * store verifies an upload in parts by the checksum of each part: no checksum of the whole file is known.
 */
export class MediaSearch1790000000452 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION ${WANTED}`);
    await runner.query('ALTER TABLE media.file ALTER COLUMN sha256 DROP NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE media.file SET sha256 = '' WHERE sha256 IS NULL`);
    await runner.query('ALTER TABLE media.file ALTER COLUMN sha256 SET NOT NULL');
    await runner.query('DROP FUNCTION media.wanted(text[])');
  }
}

const WANTED = `media.wanted(given text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (string_agg(query, ' & ' ORDER BY number) || ':*')::tsquery
  FROM (
    SELECT number, nullif(phraseto_tsquery('simple', media.words(word))::text, '') AS query
    FROM unnest(given) WITH ORDINALITY AS one (word, number)) AS words $$`;
