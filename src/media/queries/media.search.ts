import { Injectable } from '@nestjs/common';
import type { MediaKind } from '#libs/content';
import { Database, statement } from '#libs/database';
import type { MediaStatus } from '../views/media-file.view.js';

export interface MediaFilters {
  readonly kinds?: readonly MediaKind[];
  readonly statuses?: readonly MediaStatus[];
  readonly tag?: string;
  /** Words in file name, alt text and tags. */
  readonly text?: string;
}

/** Further words of a text are ignored. */
const MAX_WORDS = 10;
const MAX_WORD = 60;

/** Null: the text has no searchable word, so nothing matches. */
const WORDS = statement('make_media_words', 'SELECT media.wanted($1::text[])::text AS query');
const TAG = statement(
  'make_media_tag',
  `SELECT quote_literal('~t' || replace(media.fold($1), '\\', '\\\\')) AS query`,
);

/** Makes queries on `media.file.search`, which has the words of a file and marks for its brand, kind, status and tags. */
@Injectable()
export class MediaSearch {
  constructor(private readonly database: Database) {}

  /** @param brandIds not empty @returns the text of a tsquery, undefined without filters, null when nothing can match */
  async queryFor(brandIds: readonly string[], filters: MediaFilters): Promise<string | null | undefined> {
    const { kinds, statuses, tag, text } = filters;
    const marks = [oneOf('~k', kinds), oneOf('~s', statuses), tag && (await this.query(TAG, tag))];
    const words = text === undefined ? undefined : await this.query(WORDS, wordsOf(text));
    if (words === null) return null;
    const parts = [...marks, words].filter((part) => part !== undefined && part !== null && part !== '');
    return parts.length === 0 ? undefined : [oneOf('~b', brandIds), ...parts].join(' & ');
  }

  private async query(sql: typeof WORDS, value: unknown): Promise<string | null> {
    const [row] = await this.database.query<{ query: string | null }>(sql, [value]);
    return row?.query ?? null;
  }
}

const oneOf = (mark: string, values: readonly string[] | undefined): string | undefined =>
  values && `(${values.map((value) => `'${mark}${value}'`).join(' | ')})`;

const wordsOf = (text: string): string[] =>
  text
    .toWellFormed()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map((word) => [...word].slice(0, MAX_WORD).join(''));
