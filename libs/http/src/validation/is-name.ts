import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString, Matches } from 'class-validator';

/**
 * A character that can be seen: no space, no control or format character, none that is shown as nothing where it is not
 * supported (Default_Ignorable_Code_Point, https://www.unicode.org/reports/tr44/, which the Hangul fillers are too), and
 * not the empty Braille pattern.
 */
export const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const isVisible = (text: string): boolean => VISIBLE.test(text);

/** Characters, that is Unicode code points. */
export const MAX_NAME = 120;

/** What is one line of 1 to `MAX_NAME` characters, with something to be seen in it. */
export const NAME = new RegExp(`^(?=.*${VISIBLE.source})[^\\p{Cc}\\p{Zl}\\p{Zp}]{1,${MAX_NAME}}$`, 'u');

export const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** A name for people, such as that of a brand: the space around it is taken off. */
export const IsName = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => trimmed(value)),
    IsString(),
    Matches(NAME, {
      message: `must be one line of 1 to ${MAX_NAME} characters`,
      context: { code: 'not_a_name' },
    }),
  );
