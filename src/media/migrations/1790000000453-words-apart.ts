import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A search sends one condition per word, because GIN evaluates a query of several words for each entry of the rarest one. */
export class WordsApart1790000000453 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION media.wanted(text[])');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION ${WANTED}`);
  }
}

const WANTED = `media.wanted(given text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (string_agg(query, ' & ' ORDER BY number) || ':*')::tsquery
  FROM (
    SELECT number, nullif(phraseto_tsquery('simple', media.words(word))::text, '') AS query
    FROM unnest(given) WITH ORDINALITY AS one (word, number)) AS words $$`;
