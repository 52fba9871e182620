import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, ValidateNested } from 'class-validator';
import { Text, Texts, WhenSentOrNull } from '#libs/http';
import type { PostalAddress } from '../../domain/contact-details.js';
import type { FieldDeclaration } from '../../domain/field-declaration.js';
import { CONTACT_FIELDS, type ContactFields, FIELDS } from '../../domain/contact-fields.js';
import type { ContactChanges } from '../../domain/contact.js';
import { Follows, IsCustomFields } from './field-rules.js';

const MAX_PART = CONTACT_FIELDS.addresses.max;

export class PostalAddressDto implements Partial<PostalAddress> {
  @Text(MAX_PART, { description: 'Purpose.', example: 'Office' })
  label: string | null = null;

  @Text(MAX_PART, {
    description: 'Street and number; the whole address if its parts are unknown.',
    example: 'Dlouhá 12',
  })
  street: string | null = null;

  @Text(MAX_PART, { example: 'Prague' })
  city: string | null = null;

  @Text(MAX_PART, { example: null })
  region: string | null = null;

  @Text(MAX_PART, { example: '110 00' })
  postalCode: string | null = null;

  @Text(MAX_PART, { example: 'Czechia' })
  country: string | null = null;
}

/** A class with the fields of a contact as responses have them, after the properties of another class. */
export function withShownFields<T extends object>(base: Class<T>): Class<T & ContactFields> {
  return withFields(base, shown) as Class<T & ContactFields>;
}

/** A class with the fields of a contact as requests have them. */
export const writtenFields = (): Class<ContactChanges> => withFields(class {}, written);

function withFields(
  base: Class<object>,
  decorate: (field: FieldDeclaration) => PropertyDecorator,
): Class<object> {
  class WithFields extends base {}
  for (const [field, declaration] of FIELDS) decorate(declaration)(WithFields.prototype, field);
  return WithFields;
}

const FLAT_MAP = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } as object,
} as const;

function shown({ kind, shown: description, example }: FieldDeclaration): PropertyDecorator {
  return ApiProperty({ description, example, ...typeOf(kind) });
}

function typeOf(kind: FieldDeclaration['kind']): ApiPropertyOptions {
  if (kind === 'customFields') return FLAT_MAP;
  if (kind === 'addresses') return { type: () => [PostalAddressDto] };
  return kind === 'texts' || kind === 'emails' ? { type: [String] } : { type: 'string', nullable: true };
}

/** Each decorator is applied before the one above it, as on a property of a class. */
function written(field: FieldDeclaration): PropertyDecorator {
  const { kind, max, maxItems = 0, rule, written: description, example } = field;
  if (kind === 'customFields')
    return applyDecorators(IsCustomFields(), WhenSentOrNull(), DocumentsCustomFields);
  if (kind === 'addresses') return Addresses(maxItems, { description });
  const options = { description, example } as ApiPropertyOptions;
  const rules = rule ? [Follows(rule)] : [];
  const isList = kind === 'texts' || kind === 'emails';
  return applyDecorators(...rules, isList ? Texts(maxItems, max, options) : Text(max, options));
}

const Addresses = (maxItems: number, options: ApiPropertyOptions) =>
  applyDecorators(
    Type(() => PostalAddressDto),
    ValidateNested({ each: true }),
    ArrayMaxSize(maxItems),
    IsArray(),
    WhenSentOrNull(),
    ApiPropertyOptional({
      ...options,
      type: () => [PostalAddressDto],
      nullable: true,
      maxItems,
    } as ApiPropertyOptions),
  );

const { maxItems, maxKey, max, example } = CONTACT_FIELDS.customFields;
const DocumentsCustomFields = ApiPropertyOptional({
  description: `The whole map: at most ${maxItems} fields, names of 1 to ${maxKey} characters, texts of at most ${max}.`,
  ...FLAT_MAP,
  nullable: true,
  example,
});
