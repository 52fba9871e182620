import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsObject, IsString, Matches, MaxLength, ValidateBy } from 'class-validator';
import { WhenSent } from '#libs/http';

/** Of a value written as JSON without spaces, in UTF-16 code units. The depth and number of values are bounded for all bodies. */
const MaxJsonCharacters = (limit: number): PropertyDecorator =>
  ValidateBy({
    name: 'maxLength',
    validator: {
      validate: (value: unknown) => ((JSON.stringify(value) as string | undefined) ?? '').length <= limit,
      defaultMessage: () => `must have at most ${limit} characters as JSON`,
    },
  });

/** What all providers accept. */
export const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * OpenAI takes 120 000 characters of names and enumerated values, and descriptions beyond them. As many properties as the values of a body
 * allow fit, with names and types.
 */
const MAX_SCHEMA_CHARACTERS = 250_000;

export class ToolDto {
  @ApiProperty({ pattern: TOOL_NAME.source, example: 'find_contact' })
  @Matches(TOOL_NAME, { message: 'must be 1 to 64 of A-Z a-z 0-9 _ -' })
  name!: string;

  @ApiProperty({ maxLength: 4096, example: 'Finds a contact by email.' })
  @IsString()
  @MaxLength(4_096)
  description!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema of the arguments.',
    example: { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] },
  })
  @IsObject()
  parameters!: Record<string, unknown>;
}

export class ResponseSchemaDto {
  @ApiProperty({ pattern: TOOL_NAME.source, example: 'result' })
  @Matches(TOOL_NAME, { message: 'must be 1 to 64 of A-Z a-z 0-9 _ -' })
  name!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'JSON Schema of the response, of at most 250000 characters. The gateway checks what the provider does not enforce, except `pattern`, `patternProperties`, `format` and references to other documents. A text whose check takes more than half a second, or that waits more than 3 seconds for it, is returned as the model wrote it.',
    example: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  })
  @IsObject()
  @MaxJsonCharacters(MAX_SCHEMA_CHARACTERS)
  schema!: Record<string, unknown>;

  @ApiPropertyOptional({
    default: true,
    example: true,
    description: 'false: a text that does not fit is returned as the model wrote it.',
  })
  @WhenSent()
  @IsBoolean()
  check?: boolean;
}

const WORDS: readonly unknown[] = ['auto', 'none', 'required'];

function isToolChoice(value: unknown): boolean {
  if (WORDS.includes(value)) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { name, ...others } = value as { name?: unknown };
  return typeof name === 'string' && TOOL_NAME.test(name) && Object.keys(others).length === 0;
}

/** `auto`, `none`, `required` or `{ name }`. */
export const IsToolChoice = (): PropertyDecorator =>
  ValidateBy({
    name: 'isToolChoice',
    validator: {
      validate: isToolChoice,
      defaultMessage: () => 'must be auto, none, required or the name of a tool as { name }',
    },
  });
