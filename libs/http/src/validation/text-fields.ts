import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsString } from 'class-validator';
import { MaxCharacters } from './max-characters.js';
import { tidyList, tidyText } from './tidy.js';
import { WhenSentOrNull } from './when-sent.js';

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
