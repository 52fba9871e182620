import { ApiProperty } from '@nestjs/swagger';
import type { CustomFields } from '../../domain/contact.js';
import type { ContactSummary } from '../../views/contact.view.js';
import { PostalAddressDto } from './postal-address.dto.js';

export class ContactDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  id!: string;

  @ApiProperty({
    description: 'The organization it belongs to; never changes.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  })
  organizationId!: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'Jana Nováková' })
  name!: string | null;

  @ApiProperty({
    description: 'As entered; compared in lower case and NFKC.',
    type: 'string',
    nullable: true,
    example: 'Jana.Novakova@example.com',
  })
  email!: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Acme Coffee' })
  company!: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Head of Roasting' })
  jobTitle!: string | null;

  @ApiProperty({ type: [String], example: ['+420 601 123 456'] })
  phones!: string[];

  @ApiProperty({ type: [String], example: ['customer', 'Prague'] })
  tags!: string[];

  @ApiProperty({
    description: 'A flat map; values are texts, numbers, booleans or null.',
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } as object,
    example: { language: 'cs', seats: 12, newsletter: true },
  })
  customFields!: CustomFields;

  @ApiProperty({
    description: 'The id in another system.',
    type: 'string',
    nullable: true,
    example: 'crm-4711',
  })
  externalId!: string | null;

  @ApiProperty({
    description: 'All addresses except the primary one.',
    type: [String],
    example: ['jana@acme.example'],
  })
  additionalEmails!: string[];

  @ApiProperty({ type: () => [PostalAddressDto] })
  addresses!: PostalAddressDto[];

  @ApiProperty({
    description: 'Without a year if it is unknown: `--05-12`.',
    type: 'string',
    nullable: true,
    example: '1990-05-12',
  })
  birthday!: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Roastery' })
  department!: string | null;

  @ApiProperty({ type: [String], example: ['https://acme.example'] })
  websites!: string[];

  @ApiProperty({
    description: 'Whether it is soft-deleted: not listed, but restorable.',
    example: false,
  })
  deleted!: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  updatedAt!: string;

  @ApiProperty({
    description: 'Increases with every change; the ETag contains it.',
    type: 'integer',
    example: 1,
  })
  version!: number;

  static of(contact: ContactSummary): ContactDto {
    const { id, organizationId, name, email, company, jobTitle, phones, tags, ...rest } = contact;
    const { customFields, externalId, deleted, createdAt, updatedAt, version } = rest;
    const { additionalEmails, addresses, birthday, department, websites } = rest;
    return {
      id,
      organizationId,
      name,
      email,
      company,
      jobTitle,
      phones: [...phones],
      tags: [...tags],
      customFields,
      externalId,
      additionalEmails: [...additionalEmails],
      addresses: [...addresses],
      birthday,
      department,
      websites: [...websites],
      deleted,
      createdAt,
      updatedAt,
      version,
    };
  }
}

/** The answer after a deletion. */
export class DeletedContactDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  id!: string;

  @ApiProperty({ example: true })
  deleted!: true;

  @ApiProperty({
    description: 'true: removed permanently. false: it can be restored.',
    example: false,
  })
  erased!: boolean;
}
