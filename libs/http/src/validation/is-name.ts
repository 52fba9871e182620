import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString, Matches } from 'class-validator';

/**
 * A visible character: no space, no control or format character, none that renders as nothing
 * (Default_Ignorable_Code_Point, https://www.unicode.org/reports/tr44/, which the Hangul fillers are too), and
 * not the empty Braille pattern.
 */
export const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const isVisible = (text: string): boolean => VISIBLE.test(text);

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
