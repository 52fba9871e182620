import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsString, IsUUID, registerDecorator } from 'class-validator';
import { WhenSent, WhenSentOrNull } from '#libs/http';
import type { ContactChanges, CustomFields } from '../contact.js';
import { CONTACT_LIMITS } from '../contact.js';
import { emailKey, isEmailKey } from '../email.js';
import { IsCustomFields } from './is-custom-fields.js';
import { MaxCharacters } from './max-characters.js';
import { tidyList, tidyText } from './tidy.js';

const isText = (value: unknown): value is string => typeof value === 'string';

/** A text or null; one in which nothing is to be seen counts as null. */
function Text(maxLength: number, options: ApiPropertyOptions): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ ...options, type: 'string', nullable: true, maxLength } as ApiPropertyOptions),
    Transform(({ value }: { value: unknown }) => (isText(value) ? tidyText(value) : value)),
    WhenSentOrNull(),
    IsString(),
    MaxCharacters(maxLength),
  );
}

/** Texts or null; empty ones and repetitions are left out. */
function Texts(maxItems: number, maxLength: number, options: ApiPropertyOptions): PropertyDecorator {
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

function IsContactEmail(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isContactEmail',
      target: target.constructor,
      propertyName: String(property),
      options: { message: 'must be an email address', context: { code: 'not_an_email' } },
      validator: { validate: (value: unknown) => isText(value) && isEmailKey(emailKey(value)) },
    });
}

/** What is not sent stays as it is; null clears. */
export class UpdateContactDto implements ContactChanges {
  @Text(CONTACT_LIMITS.name, {
    description: 'A contact has a name or an email address, or both.',
    example: 'Jana Nováková',
  })
  name?: string | null;

  @Text(CONTACT_LIMITS.email, {
    description: 'Kept as spelled. Several contacts may share one.',
    example: 'Jana.Novakova@example.com',
  })
  @IsContactEmail()
  email?: string | null;

  @Text(CONTACT_LIMITS.company, { example: 'Acme Coffee' })
  company?: string | null;

  @Text(CONTACT_LIMITS.jobTitle, { example: 'Head of Roasting' })
  jobTitle?: string | null;

  @Texts(CONTACT_LIMITS.phones, CONTACT_LIMITS.phone, {
    description: 'All of them, in their order.',
    example: ['+420 601 123 456'],
  })
  phones?: string[] | null;

  @Texts(CONTACT_LIMITS.tags, CONTACT_LIMITS.tag, {
    description: 'All of them. Upper and lower case make no difference between two.',
    example: ['customer', 'Prague'],
  })
  tags?: string[] | null;

  @ApiPropertyOptional({
    description: `All of them: at most ${CONTACT_LIMITS.customFields}, names of 1 to ${CONTACT_LIMITS.customKey} characters, texts of at most ${CONTACT_LIMITS.customText}.`,
    type: 'object',
    nullable: true,
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } as object,
    example: { language: 'cs', seats: 12, newsletter: true },
  })
  @WhenSentOrNull()
  @IsCustomFields()
  customFields?: CustomFields | null;

  @Text(CONTACT_LIMITS.externalId, { description: 'Its id in another system.', example: 'crm-4711' })
  externalId?: string | null;
}

export class CreateContactDto extends UpdateContactDto {
  @ApiPropertyOptional({
    description: 'May be left out by callers with one organization.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  })
  @WhenSent()
  @IsUUID()
  organizationId?: string;
}

const ON_DUPLICATE = ['accept', 'reject'] as const;

export class CreateContactQuery {
  @ApiPropertyOptional({
    description: '`reject` answers 400 with the other contact’s id when the email address is taken.',
    enum: ON_DUPLICATE,
    default: 'accept',
  })
  @IsIn(ON_DUPLICATE)
  onDuplicate: (typeof ON_DUPLICATE)[number] = 'accept';
}
