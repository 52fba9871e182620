import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';
import { shortened } from '../validation/field-errors.js';
import { instantOf } from '../validation/is-instant.js';
import { isUuid } from '../validation/parse-id.pipe.js';
import { warnOfParameter } from './list-warnings.js';

/** An id that no row has. */
const UNUSED_ID = '00000000-0000-0000-0000-000000000000';

/** Adds a warning that the value is not applied. @param message what is wrong and what applies instead */
export type Ignore = (code: string, message: string) => void;

/**
 * A parameter of a list. Invalid values are never refused.
 * @param read converts the value (a text, several, or another query value) to the applied one
 */
export const Parameter = (read: (value: unknown, ignore: Ignore) => unknown): PropertyDecorator =>
  applyDecorators(
    Transform(
      ({ value, key }: { value: unknown; key: string }) =>
        read(value, (code, message) => warnOfParameter({ parameter: key, code, message })),
      { toClassOnly: true },
    ),
    Allow(),
  );

/**
 * A parameter that `valueOf` converts. Values without a result are ignored with a warning. Empty counts as not sent.
 * @param expected completes "must be …"
 */
export const FilterOf = (valueOf: (value: string) => unknown, code: string, expected: string) =>
  Parameter((value, ignore) => {
    if (isEmpty(value)) return undefined;
    const known = typeof value === 'string' ? valueOf(value) : undefined;
    if (known === undefined) ignore(code, `must be ${expected}; it is ignored`);
    return known;
  });

/** An id, in lower case. An invalid id gives an empty list, like an id that does not exist. */
export const IdFilter = (): PropertyDecorator =>
  Parameter((value, ignore) => {
    if (isEmpty(value)) return undefined;
    if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
    ignore('not_an_id', 'must be one UUID; nothing has this id');
    return UNUSED_ID;
  });

/** The values of `known` that were sent, in its order, each once; undefined when none was. Repeated or separated by commas. */
export const AmongFilter = (known: readonly string[]): PropertyDecorator =>
  WordsFilter((word) => known.includes(word), `must be one or more of ${known.join(', ')}`, known);

/**
 * The words that satisfy `isKnown`, each once, in the order of `order` or else sorted; undefined when there is none.
 * Repeated or separated by commas. Each other word is ignored with a warning.
 */
export const WordsFilter = (
  isKnown: (word: string) => boolean,
  expected: string,
  order?: readonly string[],
): PropertyDecorator =>
  Parameter((value, ignore) => {
    if (isEmpty(value)) return undefined;
    const named = new Set(wordsIn(value).filter((word) => word !== ''));
    const chosen = [...named].filter(isKnown);
    for (const word of named.difference(new Set(chosen)))
      ignore('not_allowed', `${expected}; ${shortened(word)} is ignored`);
    if (named.size === 0) ignore('not_allowed', `${expected}; it is ignored`);
    if (chosen.length === 0) return undefined;
    return order ? order.filter((one) => chosen.includes(one)) : chosen.sort();
  });

/** RFC 3339 with an offset, converted to UTC because cursors depend on the spelling. Other values are ignored. */
export const InstantFilter = (): PropertyDecorator =>
  FilterOf(
    instantOf,
    'not_an_instant',
    'an RFC 3339 time with an offset, such as 2026-12-01T09:00:00Z (in a query + is %2B)',
  );

const FLAGS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** `true`, `1`, `false` or `0`; other values give the default. The last value of a repeated parameter counts. */
export const FlagFilter = (otherwise = false): PropertyDecorator =>
  Parameter((value, ignore) => {
    const last = lastOf(value);
    if (isEmpty(last)) return otherwise;
    const flag = typeof last === 'string' ? FLAGS.get(last) : undefined;
    if (flag === undefined) ignore('not_a_boolean', `must be true or false; ${otherwise} applies`);
    return flag ?? otherwise;
  });

/** An empty parameter counts as not sent. */
export const isEmpty = (value: unknown): boolean => value === undefined || value === '';

/** The last value of a repeated parameter. */
export const lastOf = (value: unknown): unknown => (Array.isArray(value) ? value.at(-1) : value);

/** The last value of a repeated parameter as trimmed text; undefined for an empty one. */
export function lastText(value: unknown): string | undefined {
  const last = lastOf(value);
  return typeof last === 'string' && last.trim() !== '' ? last.trim() : undefined;
}

/** The trimmed words of a parameter that is repeated or separated by commas. */
export const wordsIn = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',').map((word) => word.trim()) : []));
