import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString, Length, Matches } from 'class-validator';
import { VISIBLE } from '#libs/http';

export const MAX_NAME = 120;

/** Of an empty one its length is told. */
const SAYS_SOMETHING = new RegExp(`^$|${VISIBLE.source}`, 'u');

/** A name of something for people: NFC, trimmed, 1 to 120 characters, no control characters, something to be seen. */
export function IsName(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.normalize('NFC').trim() : value,
    ),
    IsString(),
    Length(1, MAX_NAME),
    Matches(/^\P{Cc}*$/u, { message: 'must not hold control characters' }),
    Matches(SAYS_SOMETHING, { message: 'must hold something to be seen' }),
  );
}
