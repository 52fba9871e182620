import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsUUID, registerDecorator, ValidateNested } from 'class-validator';
import { isText, Text, Texts, WhenSent, WhenSentOrNull } from '#libs/http';
import { isBirthday, isWebsite } from '../../domain/contact-details.js';
import type { ContactChanges, CustomFields } from '../../domain/contact.js';
import { CONTACT_LIMITS } from '../../domain/contact.js';
import { emailKey, isEmailKey } from '#libs/email-address';
import { IsCustomFields } from '../../validation/is-custom-fields.js';
import { PostalAddressDto } from './postal-address.dto.js';

/** A rule for a text, or for each entry of a list. */
function Each(
  name: string,
  code: string,
  message: string,
  isRight: (text: string) => boolean,
): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      options: { message, context: { code } },
      validator: {
        validate: (value: unknown) => [value].flat().every((one) => isText(one) && isRight(one)),
      },
    });
}

const IsContactEmail = (message = 'must be an email address') =>
  Each('isContactEmail', 'not_an_email', message, (text) => isEmailKey(emailKey(text)));

/** Missing fields are unchanged; null clears a field. */
export class UpdateContactDto implements ContactChanges {
  @Text(CONTACT_LIMITS.name, {
    description: 'A contact has a name, an email address or both.',
    example: 'Jana Nováková',
  })
  name?: string | null;

  @Text(CONTACT_LIMITS.email, {
    description: 'Stored as entered. Several contacts can share one.',
    example: 'Jana.Novakova@example.com',
  })
  @IsContactEmail()
  email?: string | null;

  @Text(CONTACT_LIMITS.company, { example: 'Acme Coffee' })
  company?: string | null;

  @Text(CONTACT_LIMITS.jobTitle, { example: 'Head of Roasting' })
  jobTitle?: string | null;

  @Texts(CONTACT_LIMITS.phones, CONTACT_LIMITS.phone, {
    description: 'The whole list, in order.',
    example: ['+420 601 123 456'],
  })
  phones?: string[] | null;

  @Texts(CONTACT_LIMITS.tags, CONTACT_LIMITS.tag, {
    description: 'The whole list. Entries that differ only in case are duplicates.',
    example: ['customer', 'Prague'],
  })
  tags?: string[] | null;

  @ApiPropertyOptional({
    description: `The whole map: at most ${CONTACT_LIMITS.customFields} fields, names of 1 to ${CONTACT_LIMITS.customKey} characters, texts of at most ${CONTACT_LIMITS.customText}.`,
    type: 'object',
    nullable: true,
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } as object,
    example: { language: 'cs', seats: 12, newsletter: true },
  })
  @WhenSentOrNull()
  @IsCustomFields()
  customFields?: CustomFields | null;

  @Text(CONTACT_LIMITS.externalId, { description: 'The id in another system.', example: 'crm-4711' })
  externalId?: string | null;

  @Texts(CONTACT_LIMITS.additionalEmails, CONTACT_LIMITS.email, {
    description:
      'All addresses but the primary one, in their order. Without a primary address the first of them becomes it.',
    example: ['jana@acme.example'],
  })
  @IsContactEmail('must hold email addresses only')
  additionalEmails?: string[] | null;

  @ApiPropertyOptional({
    description: 'The whole list, in order.',
    type: () => [PostalAddressDto],
    nullable: true,
    maxItems: CONTACT_LIMITS.addresses,
  })
  @WhenSentOrNull()
  @IsArray()
  @ArrayMaxSize(CONTACT_LIMITS.addresses)
  @ValidateNested({ each: true })
  @Type(() => PostalAddressDto)
  addresses?: PostalAddressDto[] | null;

  @Text(10, {
    description: 'A date, or month and day if the year is unknown: `--05-12`.',
    example: '1990-05-12',
  })
  @Each('isBirthday', 'not_a_date', 'must be a date such as 1990-05-12 or --05-12', isBirthday)
  birthday?: string | null;

  @Text(CONTACT_LIMITS.department, { example: 'Roastery' })
  department?: string | null;

  @Texts(CONTACT_LIMITS.websites, CONTACT_LIMITS.website, {
    description: 'Web addresses, with or without `https://`; no other scheme.',
    example: ['https://acme.example'],
  })
  @Each('isWebsite', 'not_a_website', 'must hold addresses such as https://acme.example only', isWebsite)
  websites?: string[] | null;
}

export class CreateContactDto extends UpdateContactDto {
  @ApiPropertyOptional({
    description: 'Optional for callers with one organization.',
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
    description: '`reject` answers 400 with the id of an existing contact with the same email address.',
    enum: ON_DUPLICATE,
    default: 'accept',
  })
  @IsIn(ON_DUPLICATE)
  onDuplicate: (typeof ON_DUPLICATE)[number] = 'accept';
}
