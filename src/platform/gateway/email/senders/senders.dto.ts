import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, IsUUID, MaxLength } from 'class-validator';
import { IsName, OptionalString, WhenSent } from '#libs/http';
import { EMAIL_PROVIDERS, type EmailProvider } from '../email.types.js';

const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';

export class AddSenderDto {
  @ApiProperty({ format: 'uuid', example: ID, description: 'A domain of the organization.' })
  @IsUUID()
  domainId!: string;

  @ApiProperty({ example: 'Acme Coffee', maxLength: 120 })
  @IsName()
  name!: string;

  @ApiProperty({ example: 'hello@example.com', description: 'An address of the domain.' })
  @IsString()
  @MaxLength(320)
  address!: string;

  @OptionalString(320, { example: 'support@example.com' })
  replyTo?: string;

  @ApiPropertyOptional({
    default: false,
    description: 'Used for messages without a sender; replaces the former default.',
  })
  @WhenSent()
  @IsBoolean()
  isDefault?: boolean;
}

export class EmailSenderDto {
  @ApiProperty({ format: 'uuid', example: ID })
  id!: string;

  @ApiProperty({ enum: ['organization', 'platform'], example: 'organization' })
  owner!: 'organization' | 'platform';

  @ApiProperty({ example: 'Acme Coffee' })
  name!: string;

  @ApiProperty({ example: 'hello@example.com' })
  address!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  replyTo!: string | null;

  @ApiProperty({ example: true })
  isDefault!: boolean;

  @ApiProperty({ format: 'uuid', example: ID })
  domainId!: string;

  @ApiProperty({
    example: true,
    description: 'false: its domain is not verified, so nothing is sent from it.',
  })
  usable!: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-11-23T09:00:00.000Z' })
  createdAt!: Date;
}

/** Its TXT record proves control of a domain. */
export const CHALLENGE_PREFIX = '_gateway-challenge.';
const STATES = ['usable', 'failing', 'disabled'] as const;

export class EmailConnectionDto {
  @ApiProperty({
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
    description: 'Of the credential; `PATCH` and `DELETE /api/credentials/{credentialId}` change it.',
  })
  id!: string;

  @ApiProperty({ enum: ['cloud_mail'], example: 'cloud_mail' })
  kind!: 'cloud_mail';

  @ApiProperty({ enum: EMAIL_PROVIDERS, example: 'resend' })
  provider!: EmailProvider;

  @ApiProperty({ example: 'Production account' })
  label!: string;

  @ApiProperty({
    enum: STATES,
    example: 'usable',
    description:
      'failing: the provider refused it; it is used after the others of the provider. disabled: it is not used.',
  })
  state!: (typeof STATES)[number];

  @ApiProperty({
    type: [String],
    example: ['example.com'],
    description: 'Verified domains of the organization that send through it, at most 100.',
  })
  domains!: string[];
}

export class AddDomainDto {
  @ApiProperty({
    example: 'example.com',
    maxLength: 253,
    description: 'International names are converted to ASCII.',
  })
  @IsString()
  @MaxLength(253)
  name!: string;

  @ApiPropertyOptional({
    enum: EMAIL_PROVIDERS,
    default: 'smtp',
    description: 'Provider that sends for the domain.',
  })
  @WhenSent()
  @IsIn(EMAIL_PROVIDERS)
  provider?: EmailProvider;
}

class DnsRecordDto {
  @ApiProperty({ enum: ['TXT'], example: 'TXT' })
  type!: 'TXT';

  @ApiProperty({ example: '_gateway-challenge.example.com' })
  name!: string;

  @ApiProperty({ example: 'gateway-verification=4f9c…' })
  value!: string;
}

export class EmailDomainDto {
  @ApiProperty({ format: 'uuid', example: ID })
  id!: string;

  @ApiProperty({ example: 'example.com' })
  name!: string;

  @ApiProperty({
    enum: ['cloud_mail', 'platform'],
    example: 'cloud_mail',
    description:
      'cloud_mail: of the organization; `GET /api/email/connections` lists its connections to mail providers. platform: owned by the platform, usable by every organization.',
  })
  kind!: 'cloud_mail' | 'platform';

  @ApiProperty({ enum: EMAIL_PROVIDERS, example: 'smtp' })
  provider!: EmailProvider;

  @ApiProperty({
    enum: ['own', 'platform'],
    example: 'own',
    description: 'Whose connection to the provider sends now.',
  })
  connection!: 'own' | 'platform';

  @ApiProperty({
    enum: ['pending', 'verified', 'failed'],
    example: 'pending',
    description: 'Only verified domains send.',
  })
  status!: 'pending' | 'verified' | 'failed';

  @ApiProperty({ type: String, nullable: true, example: null })
  checkResult!: string | null;

  @ApiProperty({
    type: () => DnsRecordDto,
    nullable: true,
    description: 'To be created; null: nothing is needed.',
  })
  record!: DnsRecordDto | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  checkedAt!: Date | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  verifiedAt!: Date | null;

  @ApiProperty({ format: 'date-time', example: '2026-11-23T09:00:00.000Z' })
  createdAt!: Date;

  /** @param isOwner whether the caller manages it: others do not see the challenge */
  static of({ organizationId, challenge, ...domain }: DomainRow, isOwner = true): EmailDomainDto {
    const record = { type: 'TXT' as const, name: CHALLENGE_PREFIX + domain.name, value: challenge };
    return {
      ...domain,
      kind: organizationId === null ? 'platform' : 'cloud_mail',
      checkResult: isOwner ? domain.checkResult : null,
      record: isOwner && challenge !== '' ? record : null,
    };
  }
}

export interface DomainRow extends Omit<EmailDomainDto, 'kind' | 'record'> {
  /** null: owned by the platform. */
  readonly organizationId: string | null;
  /** Value of the TXT record that proves control of the domain. Empty: an operator configured it, which needs no proof. */
  readonly challenge: string;
}
