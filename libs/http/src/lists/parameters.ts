import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';
import { instantOf } from '../validation/is-instant.js';
import { isUuid } from '../validation/parse-id.pipe.js';

/** The id of nothing. */
const NOTHING = '00000000-0000-0000-0000-000000000000';

/** A parameter of a list, which is never refused for them. @param read what was sent: a text, several, or what else a query can hold. */
export const Parameter = (read: (value: unknown) => unknown): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => read(value), { toClassOnly: true }),
    Allow(),
  );

/** An id, in lower case; an empty one is not sent. What cannot be one names nothing: the list is empty, as for one that does not exist. */
export const IdFilter = (): PropertyDecorator =>
  Parameter((value) => {
    if (value === undefined || value === '') return undefined;
    return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : NOTHING;
  });

/** Those of `known` that are named, in its order, each once; undefined when none is. Repeated or separated by commas. */
export const AmongFilter = (known: readonly string[]): PropertyDecorator =>
  Parameter((value) => {
    const named = wordsIn(value);
    const chosen = known.filter((one) => named.includes(one));
    return chosen.length > 0 ? chosen : undefined;
  });

/** RFC 3339 with an offset, made UTC: a cursor is bound to one spelling. Anything else is ignored. */
export const InstantFilter = (): PropertyDecorator => Parameter(instantOf);

/** `true` or `1`; anything else is false. A repeated parameter counts by its last value. */
export const FlagFilter = (): PropertyDecorator =>
  Parameter((value) => ['true', '1'].includes(String(Array.isArray(value) ? value.at(-1) : value)));

/** What a parameter says, repeated or separated by commas, without the space around. */
export const wordsIn = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',').map((word) => word.trim()) : []));
