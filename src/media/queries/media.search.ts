import { Injectable } from '@nestjs/common';
import type { MediaKind } from '#libs/content';
import { Database, statement } from '#libs/database';
import type { MediaStatus } from '../views/media-file.view.js';

export interface MediaFilters {
  readonly kinds?: readonly MediaKind[];
  readonly statuses?: readonly MediaStatus[];
  readonly tag?: string;
  readonly text?: string;
}

/** Texts of tsqueries on `media.file.search`, which has the words of a file and marks for its brand, kind, status and tags. */
export interface MediaTerms {
  readonly terms: readonly string[];
  /** The last word of a text; its beginning is enough. */
  readonly prefix: string | null;
}

/** Further words of a text are ignored. */
const MAX_WORDS = 10;
const MAX_WORD = 60;

/** Without a searchable word: no row. */
const WORDS = statement(
  'make_media_words',
  `SELECT query FROM (
     SELECT number, nullif(phraseto_tsquery('simple', media.words(word))::text, '') AS query
     FROM unnest($1::text[]) WITH ORDINALITY AS one (word, number)) AS words
   WHERE query IS NOT NULL ORDER BY number`,
);
/** Longer words are an error in a tsquery. No file has such a tag: MAX_TAG characters, each folded to at most 33 bytes. */
const MAX_LEXEME_BYTES = 2_046;

/** Quoted by the rules of tsquery, which differ from those of SQL. */
const TAG = statement(
  'make_media_tag',
  `SELECT '''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''' AS query
   FROM (SELECT '~t' || media.fold($1) AS lexeme) AS tag WHERE octet_length(lexeme) <= ${MAX_LEXEME_BYTES}`,
);

@Injectable()
export class MediaSearch {
  constructor(private readonly database: Database) {}

  /** @returns null when nothing can match, because the text has no searchable word or no file has such a tag; no terms without filters */
  async termsFor({ kinds, statuses, tag, text }: MediaFilters): Promise<MediaTerms | null> {
    const [tagged] = tag === undefined ? [] : await this.queries(TAG, tag);
    const words = text === undefined ? [] : await this.queries(WORDS, wordsOf(text));
    if (tag !== undefined && tagged === undefined) return null;
    if (text !== undefined && words.length === 0) return null;
    const marks = [oneOf('~k', kinds), oneOf('~s', statuses), tagged].filter((one) => one !== undefined);
    const last = words.at(-1);
    return { terms: [...marks, ...words.slice(0, -1)], prefix: last === undefined ? null : `${last}:*` };
  }

  private async queries(sql: typeof WORDS, value: unknown): Promise<string[]> {
    return (await this.database.query<{ query: string }>(sql, [value])).map(({ query }) => query);
  }
}

/** A term for files of one of these brands. @param brandIds not empty */
export const termOfBrands = (brandIds: readonly string[]): string => anyOf('~b', brandIds);

const anyOf = (mark: string, values: readonly string[]): string =>
  `(${values.map((value) => `'${mark}${value}'`).join(' | ')})`;

const oneOf = (mark: string, values: readonly string[] | undefined): string | undefined =>
  values && anyOf(mark, values);

const wordsOf = (text: string): string[] =>
  text
    .toWellFormed()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map((word) => [...word].slice(0, MAX_WORD).join(''));
