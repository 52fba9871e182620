import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsObject,
  IsString,
  Matches,
  MaxLength,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { is, shape, WhenSent, WhenSentOrNull } from '#libs/http';
import {
  type RenderedContent,
  TEMPLATE_NAME,
  type TemplateContent,
  type TemplateVariable,
  VARIABLE_NAME,
  VARIABLE_TYPES,
} from './render.js';

const MAX_TEXT = 200_000;

export class TemplateVariableDto implements TemplateVariable {
  @ApiProperty({ example: 'name' })
  @Matches(VARIABLE_NAME, { message: 'must be lower-case words joined by underscores' })
  name!: string;

  @ApiPropertyOptional({
    enum: VARIABLE_TYPES,
    default: 'text',
    description: 'url: an absolute http or https address, for links.',
  })
  @WhenSent()
  @IsIn(VARIABLE_TYPES)
  type: TemplateVariable['type'] = 'text';

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: null,
    description: 'Used without a value. null: a value is required.',
  })
  @WhenSentOrNull()
  @IsString()
  @MaxLength(2_000)
  fallback: string | null = null;
}

export class SaveTemplateDto implements TemplateContent {
  @ApiProperty({ example: 'welcome', pattern: TEMPLATE_NAME.source })
  @Matches(TEMPLATE_NAME, { message: 'must be lower-case words joined by hyphens' })
  name!: string;

  @ApiProperty({ example: 'Welcome, {{name}}', maxLength: 300 })
  @IsString()
  @MinLength(1)
  @MaxLength(300)
  subject!: string;

  @ApiProperty({ example: 'Hello {{name}}', maxLength: MAX_TEXT })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_TEXT)
  text!: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: '<p>Hello {{name}}</p>',
    maxLength: MAX_TEXT,
  })
  @WhenSentOrNull()
  @IsString()
  @MaxLength(MAX_TEXT)
  html: string | null = null;

  @ApiProperty({ type: () => [TemplateVariableDto], maxItems: 50 })
  @IsArray()
  @ArrayMaxSize(50)
  @ValidateNested({ each: true })
  @Type(() => TemplateVariableDto)
  variables!: TemplateVariableDto[];
}

export class TemplateDto
  extends shape({
    id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' }),
    owner: is.text<'organization' | 'platform'>({
      enum: ['organization', 'platform'],
      example: 'organization',
    }),
    name: is.text({ example: 'welcome' }),
    version: is.integer({ example: 1, description: 'A version never changes.' }),
    subject: is.text({ example: 'Welcome, {{name}}' }),
    text: is.text({ example: 'Hello {{name}}' }),
    html: is.of<string | null>({ type: String, nullable: true, example: '<p>Hello {{name}}</p>' }),
    variables: is.list(() => TemplateVariableDto),
    createdAt: is.date({ example: '2026-11-23T09:00:00.000Z' }),
  })
  implements TemplateContent {}

export class PreviewTemplateDto {
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { name: 'Ada' } })
  @IsObject()
  variables!: Record<string, string>;
}

export class RenderedTemplateDto
  extends shape({
    subject: is.text({ example: 'Welcome, Ada' }),
    text: is.text({ example: 'Hello Ada' }),
    html: is.of<string | null>({ type: String, nullable: true, example: '<p>Hello Ada</p>' }),
  })
  implements RenderedContent {}
