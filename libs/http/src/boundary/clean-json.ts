import type { FieldError } from '#libs/errors';
import { inBody, MAX_ERRORS } from '../validation/field-errors.js';
import { RequestIsNotValid } from '../validation/validation-failed.js';
import { isStreamSafe, MAX_MARKS } from './normalized.js';

/** Deeper than any request of this product; keeps every recursive reader safe. */
const MAX_DEPTH = 32;
/** More than any request needs. Whoever makes DTOs of bodies compares each name of an object with all others. */
const MAX_NAMES = 1_000;

/**
 * Names no field can have. Every object has something of these names: what reads a body leaves such fields out without
 * a word, or takes for a field what none is.
 */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'prototype',
  ...Object.getOwnPropertyNames(Object.prototype),
]);

/**
 * Makes parsed JSON safe to store and to merge: text and names in Unicode NFC; NUL (PostgreSQL cannot store it),
 * lone surrogates, more than 30 combining marks in a row, RESERVED_NAMES, deep nesting and objects of more than 1 000
 * names refused.
 * @throws RequestIsNotValid with a pointer to each, up to `MAX_ERRORS`
 */
export function cleanJson(value: unknown): unknown {
  const errors: FieldError[] = [];
  const cleaned = clean(value, [], errors);
  if (errors.length > 0) throw new RequestIsNotValid(errors);
  return cleaned;
}

function clean(value: unknown, path: string[], errors: FieldError[]): unknown {
  if (typeof value === 'string') return cleanText(value, path, errors);
  if (typeof value !== 'object' || value === null) return value;
  if (path.length >= MAX_DEPTH) {
    refuse(errors, {
      ...inBody(path),
      code: 'too_deep',
      detail: `must not be nested deeper than ${MAX_DEPTH} levels`,
    });
    return value;
  }
  const container = value as Record<string, unknown>;
  const keys = Object.keys(container);
  if (keys.length > MAX_NAMES && !Array.isArray(value)) {
    const detail = `must not have more than ${MAX_NAMES} fields`;
    refuse(errors, { ...inBody(path), code: 'too_many', detail });
    return value;
  }
  for (const key of keys) {
    const isText = isStorable(key) && isStreamSafe(key);
    const name = isText ? key.normalize('NFC') : key;
    if (!isText || RESERVED_NAMES.has(name)) {
      refuse(errors, {
        ...inBody(path),
        code: 'name_not_allowed',
        detail: `has a field whose name is not allowed${isText ? `: ${name}` : ''}`,
      });
    } else {
      const cleaned = clean(container[key], [...path, key], errors);
      if (key !== name) delete container[key];
      container[name] = cleaned;
    }
  }
  return container;
}

/** Reads no further once there are enough: a body holds more of them than an answer could. */
function refuse(errors: FieldError[], error: FieldError): void {
  if (errors.push(error) === MAX_ERRORS) throw new RequestIsNotValid(errors);
}

function cleanText(text: string, path: string[], errors: FieldError[]): string {
  if (!isStorable(text)) {
    const detail = 'must not hold NUL characters or lone surrogates';
    refuse(errors, { ...inBody(path), code: 'text_not_storable', detail });
    return text;
  }
  if (!isStreamSafe(text)) {
    const detail = `must not hold more than ${MAX_MARKS} combining marks in a row`;
    refuse(errors, { ...inBody(path), code: 'too_many_marks', detail });
    return text;
  }
  return text.normalize('NFC');
}

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
