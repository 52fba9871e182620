import { parse } from 'node:querystring';
import type { FieldError } from '#libs/errors';
import { inBody, MAX_ERRORS } from '../validation/field-errors.js';
import { RequestIsNotValid } from '../validation/request-validation.pipe.js';

/** Marks on one character, of the Stream-Safe Text Format: https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format. */
export const MAX_MARKS = 30;

/** Includes the halfwidth sound marks of Japanese, which become marks in the compatibility forms. */
const MARK = String.raw`[\p{M}\uff9e\uff9f]`;
/** Matches at the beginning of a run only, so that many runs below the limit take linear time. */
const TOO_MANY_MARKS = new RegExp(`(?<!${MARK})${MARK}{${MAX_MARKS + 1},}`, 'gu');

/**
 * No language has more than `MAX_MARKS` combining marks in a row. Normalisation sorts each row in quadratic time: half a
 * million marks take minutes.
 */
export function isStreamSafe(text: string): boolean {
  return text.length <= MAX_MARKS || text.search(TOO_MANY_MARKS) < 0;
}

/** Replaces every row of more than `MAX_MARKS` combining marks with U+FFFD. */
export function streamSafe(text: string): string {
  return text.length <= MAX_MARKS ? text : text.replace(TOO_MANY_MARKS, '\ufffd');
}

/** The text made stream-safe, then in a Unicode normal form, by default NFC. */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
  return streamSafe(text).normalize(form);
}

/** Deeper than any valid request; protects recursive readers. */
const MAX_DEPTH = 32;
/** More than any valid request has. class-transformer compares each name of an object with all others. */
const MAX_NAMES = 1_000;
/** Ten times the largest valid request, the column mapping of a contacts file. Each value costs every reader time. */
export const MAX_VALUES = 10_000;

/** Or NUL, which cannot be stored. */
const NOT_ASCII = /[^\x01-\x7f]/;

/**
 * Names no field can have, because every object inherits them: readers would ignore such fields or confuse them with
 * inherited members.
 */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'prototype',
  ...Object.getOwnPropertyNames(Object.prototype),
]);

/** In place of an integer that would come back with other digits. */
export class InexactInteger {
  static orNumber(this: void, source: string): number | InexactInteger {
    const value = Number(source);
    return String(value) === source ? value : new InexactInteger();
  }
}

/**
 * Makes parsed JSON safe to store and to merge: text and names in Unicode NFC; NUL (PostgreSQL cannot store it),
 * lone surrogates, more than 30 combining marks in a row, integers that lose digits, RESERVED_NAMES, deep nesting,
 * objects of more than 1 000 names and more than 10 000 values in all are refused.
 * @throws RequestIsNotValid with a pointer to each, up to `MAX_ERRORS`
 */
export function cleanJson(value: unknown): unknown {
  const cleaner = new Cleaner();
  const cleaned = cleaner.clean(value, []);
  if (cleaner.errors.length > 0) throw new RequestIsNotValid(cleaner.errors);
  return cleaned;
}

export function tooManyValues(): RequestIsNotValid {
  const detail = `must not hold more than ${MAX_VALUES} values`;
  return new RequestIsNotValid([{ ...inBody([]), code: 'too_many', detail }]);
}

class Cleaner {
  readonly errors: FieldError[] = [];
  private values = 1;

  clean(value: unknown, path: string[]): unknown {
    if (typeof value === 'string') return this.cleanText(value, path);
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof InexactInteger) {
      const detail = 'is an integer that a number cannot hold with all its digits: send it as text';
      this.refuse(path, 'number_not_exact', detail);
      return null;
    }
    if (path.length >= MAX_DEPTH) {
      this.refuse(path, 'too_deep', `must not be nested deeper than ${MAX_DEPTH} levels`);
      return value;
    }
    return Array.isArray(value) ? this.cleanList(value, path) : this.cleanObject(value, path);
  }

  private cleanList(list: unknown[], path: string[]): unknown {
    this.count(list.length);
    for (const [index, item] of list.entries()) list[index] = this.clean(item, [...path, String(index)]);
    return list;
  }

  private cleanObject(value: object, path: string[]): unknown {
    const names = Object.keys(value);
    if (names.length > MAX_NAMES) {
      this.refuse(path, 'too_many', `must not have more than ${MAX_NAMES} fields`);
      return value;
    }
    this.count(names.length);
    for (const name of names) this.cleanField(value as Record<string, unknown>, name, path);
    return value;
  }

  private cleanField(container: Record<string, unknown>, key: string, path: string[]): void {
    const isText = isStorable(key) && isStreamSafe(key);
    const name = isText ? key.normalize('NFC') : key;
    if (!isText || RESERVED_NAMES.has(name)) {
      const detail = `has a field whose name is not allowed${isText ? `: ${name}` : ''}`;
      return this.refuse(path, 'name_not_allowed', detail);
    }
    const cleaned = this.clean(container[key], [...path, key]);
    if (key !== name) delete container[key];
    container[name] = cleaned;
  }

  private cleanText(text: string, path: string[]): string {
    // Normal as it is. Looking for marks and normalizing blocks the process for an image of many MB.
    if (!NOT_ASCII.test(text)) return text;
    if (!isStorable(text)) {
      this.refuse(path, 'text_not_storable', 'must not hold NUL characters or lone surrogates');
      return text;
    }
    if (!isStreamSafe(text)) {
      this.refuse(path, 'too_many_marks', `must not hold more than ${MAX_MARKS} combining marks in a row`);
      return text;
    }
    return text.normalize('NFC');
  }

  /** Counts values before they are read. */
  private count(values: number): void {
    this.values += values;
    if (this.values <= MAX_VALUES) return;
    throw tooManyValues();
  }

  /** Stops reading at the maximum number of errors. */
  private refuse(path: string[], code: string, detail: string): void {
    if (this.errors.push({ ...inBody(path), code, detail }) === MAX_ERRORS)
      throw new RequestIsNotValid(this.errors);
  }
}

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The text with U+FFFD in place of what PostgreSQL cannot store. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/**
 * Parses query strings for Express, with text in NFC. Text that PostgreSQL cannot store and overlong rows of combining marks
 * become U+FFFD, so that a filter with them finds nothing instead of everything.
 */
export function parseQuery(text: string | null): Record<string, unknown> {
  const query = Object.create(null) as Record<string, unknown>;
  if (!text) return query;
  for (const [name, value] of Object.entries(parse(text))) {
    const values = [value ?? []].flat().map((one) => normalized(storable(one)));
    if (values.length > 0) query[name] = values.length === 1 ? values[0] : values;
  }
  return query;
}
