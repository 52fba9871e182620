import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsObject,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { OptionalString, WhenSent } from '#libs/http';
import { TEMPLATE_NAME } from '../../templates/render.js';

/** Of one message, all kinds together. */
export const MAX_RECIPIENTS = 50;
const MAX_TEXT = 400_000;

export class AddressDto {
  @ApiProperty({
    example: 'ada@example.com',
    maxLength: 320,
    description:
      'One address without a name. Letters beyond ASCII are allowed; the domain is converted to ASCII.',
  })
  @IsString()
  @MaxLength(320)
  address!: string;

  @OptionalString(100, { example: 'Ada Lovelace', maxLength: 100 })
  name?: string;
}

const Recipients = (described: Pick<ApiPropertyOptions, 'description' | 'example'>): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: () => [AddressDto], maxItems: MAX_RECIPIENTS, ...described }),
    WhenSent(),
    IsArray(),
    ArrayMaxSize(MAX_RECIPIENTS),
    ValidateNested({ each: true }),
    Type(() => AddressDto),
  );

export class TemplateUseDto {
  @ApiProperty({ example: 'welcome' })
  @Matches(TEMPLATE_NAME, { message: 'must be lower-case words joined by hyphens' })
  name!: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, example: 1, description: 'Default: the newest.' })
  @WhenSent()
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  version?: number;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { name: 'Ada' },
    description: 'A text for each variable of the template.',
  })
  @WhenSent()
  @IsObject()
  variables?: Record<string, string>;
}

export class SendEmailDto {
  @ApiPropertyOptional({
    format: 'uuid',
    description:
      "A sender identity of the organization or of the platform. Default: the organization's default, else the platform's.",
  })
  @WhenSent()
  @IsUUID()
  senderId?: string;

  @Recipients({
    description: 'At least one recipient is needed, 50 in all.',
    example: [{ address: 'ada@example.com', name: 'Ada Lovelace' }],
  })
  to?: AddressDto[];

  @Recipients({ description: 'Visible to all recipients.' })
  cc?: AddressDto[];

  @Recipients({ description: 'Visible to no recipient.' })
  bcc?: AddressDto[];

  @OptionalString(320, { example: 'support@example.com', description: "Default: the sender identity's." })
  replyTo?: string;

  @OptionalString(500, { example: 'Your order', maxLength: 500, description: 'Required without a template.' })
  subject?: string;

  @OptionalString(MAX_TEXT, { example: 'It is on its way.', maxLength: MAX_TEXT })
  text?: string;

  @OptionalString(MAX_TEXT, { example: '<p>It is on its way.</p>', maxLength: MAX_TEXT })
  html?: string;

  @ApiPropertyOptional({ type: () => TemplateUseDto, description: 'Instead of subject, text and html.' })
  @WhenSent()
  @ValidateNested()
  @Type(() => TemplateUseDto)
  template?: TemplateUseDto;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'List-Unsubscribe': '<https://example.com/leave>' },
    description:
      'Allowed: List-Unsubscribe, List-Unsubscribe-Post, List-Id, References, In-Reply-To, Auto-Submitted, Feedback-ID, X-Entity-Ref-ID.',
  })
  @WhenSent()
  @IsObject()
  headers?: Record<string, string>;
}
