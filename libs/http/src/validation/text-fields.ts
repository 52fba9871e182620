import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  buildMessage,
  IsArray,
  IsString,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
} from 'class-validator';

/**
 * A visible character: no space, no control or format character, none that renders as nothing
 * (Default_Ignorable_Code_Point, https://www.unicode.org/reports/tr44/, which the Hangul fillers are too), and
 * not the empty Braille pattern.
 */
export const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const isVisible = (text: string): boolean => VISIBLE.test(text);

/** Characters, that is Unicode code points. */
export const MAX_NAME = 120;

/**
 * The Arabic letter mark, embeddings, overrides and isolates: they reorder the text around a name. Marks of direction (U+200E, U+200F)
 * may stay.
 */
const BIDI_CONTROLS = '\\u061c\\u202a-\\u202e\\u2066-\\u2069';

/** One line of 1 to `MAX_NAME` characters with at least one visible character, and none that reorders others. */
export const NAME = new RegExp(
  `^(?=.*${VISIBLE.source})[^\\p{Cc}\\p{Zl}\\p{Zp}${BIDI_CONTROLS}]{1,${MAX_NAME}}$`,
  'u',
);

export const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** A display name, such as that of a brand; trimmed. */
export const IsName = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => trimmed(value)),
    IsString(),
    Matches(NAME, {
      message: `must be one line of 1 to ${MAX_NAME} characters`,
      context: { code: 'not_a_name' },
    }),
  );

/**
 * In Unicode characters, as `maxLength` of JSON Schema counts, for requests and for cells of files. A character has at most
 * two UTF-16 units, so a longer text is not counted.
 */
export function isLonger(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || [...text].length > limit);
}

/** The rule of class-validator counts a coloured heart, which is two characters, as one. */
function MaxCharacters(limit: number, options?: ValidationOptions): PropertyDecorator {
  const message = (each: string) => `${each}$property must be shorter than or equal to ${limit} characters`;
  return ValidateBy(
    {
      name: 'maxLength',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && !isLonger(value, limit),
        defaultMessage: buildMessage(message, options),
      },
    },
    options,
  );
}

/** Optional. A sent value, null included, must be valid. */
export const WhenSent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** Optional. Null clears the value. */
export const WhenSentOrNull = (): PropertyDecorator =>
  ValidateIf((_, value) => value !== undefined && value !== null);

/** Trimmed; null for a text without visible characters. */
export function tidyText(text: string): string | null {
  const tidy = text.trim();
  return isVisible(tidy) ? tidy : null;
}

/** Trimmed texts; of those that differ only in case, the first. */
export function tidyList(list: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const text of list.flatMap((one) => tidyText(one) ?? [])) {
    const key = text.toLowerCase();
    if (!kept.has(key)) kept.set(key, text);
  }
  return [...kept.values()];
}

const FOREIGN = /[^A-Za-z0-9+/]/;

/**
 * Standard alphabet with padding, RFC 4648 section 4. It looks for one character that does not belong: an expression that repeats
 * over the whole text exceeds the stack of V8 from a few MB on, once a process has compiled many expressions.
 */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return !FOREIGN.test(text.slice(0, text.length - padding));
}

/** As the rule of class-validator, for texts of any length. */
export function IsBase64(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isBase64',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isBase64(value),
        defaultMessage: buildMessage((each) => `${each}$property must be base64 encoded`, options),
      },
    },
    options,
  );
}

export const isText = (value: unknown): value is string => typeof value === 'string';

/** A text or null; a text without visible characters becomes null. */
export function Text(maxLength: number, options: ApiPropertyOptions): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ ...options, type: 'string', nullable: true, maxLength } as ApiPropertyOptions),
    Transform(({ value }: { value: unknown }) => (isText(value) ? tidyText(value) : value)),
    WhenSentOrNull(),
    IsString(),
    MaxCharacters(maxLength),
  );
}

/** Texts or null; empty ones and duplicates are removed. */
export function Texts(maxItems: number, maxLength: number, options: ApiPropertyOptions): PropertyDecorator {
  const items = { type: 'string', maxLength };
  return applyDecorators(
    ApiPropertyOptional({ ...options, type: 'array', nullable: true, maxItems, items } as ApiPropertyOptions),
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) && value.every(isText) ? tidyList(value) : value,
    ),
    WhenSentOrNull(),
    IsArray(),
    ArrayMaxSize(maxItems),
    IsString({ each: true }),
    MaxCharacters(maxLength, { each: true }),
  );
}

/** A text that may be left out, as it was sent. */
export const OptionalString = (maxLength: number, options: ApiPropertyOptions): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional(options), WhenSent(), IsString(), MaxLength(maxLength));
