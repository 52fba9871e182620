import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, IsUUID, MaxLength } from 'class-validator';
import { is, IsName, OptionalString, shape, WhenSent } from '#libs/http';
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

export class EmailSenderDto extends shape({
  id: is.uuid({ example: ID }),
  owner: is.text<'organization' | 'platform'>({
    enum: ['organization', 'platform'],
    example: 'organization',
  }),
  name: is.text({ example: 'Acme Coffee' }),
  address: is.text({ example: 'hello@example.com' }),
  replyTo: is.of<string | null>({ type: String, nullable: true, example: null }),
  isDefault: is.flag({ example: true }),
  domainId: is.uuid({ example: ID }),
  usable: is.flag({
    example: true,
    description: 'false: its domain is not verified, so nothing is sent from it.',
  }),
  createdAt: is.date({ example: '2026-11-23T09:00:00.000Z' }),
}) {}

/** Its TXT record proves control of a domain. */
export const CHALLENGE_PREFIX = '_gateway-challenge.';
const STATES = ['usable', 'failing', 'disabled'] as const;

export class EmailConnectionDto extends shape({
  id: is.uuid({
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
    description: 'Of the credential; `PATCH` and `DELETE /api/credentials/{credentialId}` change it.',
  }),
  kind: is.text<'cloud_mail'>({ enum: ['cloud_mail'], example: 'cloud_mail' }),
  provider: is.text<EmailProvider>({ enum: EMAIL_PROVIDERS, example: 'resend' }),
  label: is.text({ example: 'Production account' }),
  state: is.text<(typeof STATES)[number]>({
    enum: STATES,
    example: 'usable',
    description:
      'failing: the provider refused it; it is used after the others of the provider. disabled: it is not used.',
  }),
  domains: is.texts({
    example: ['example.com'],
    description: 'Verified domains of the organization that send through it, at most 100.',
  }),
}) {}

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

class DnsRecordDto extends shape({
  type: is.text<'TXT'>({ enum: ['TXT'], example: 'TXT' }),
  name: is.text({ example: '_gateway-challenge.example.com' }),
  value: is.text({ example: 'gateway-verification=4f9c…' }),
}) {}

export class EmailDomainDto extends shape({
  id: is.uuid({ example: ID }),
  name: is.text({ example: 'example.com' }),
  kind: is.text<'cloud_mail' | 'platform'>({
    enum: ['cloud_mail', 'platform'],
    example: 'cloud_mail',
    description:
      'cloud_mail: of the organization; `GET /api/email/connections` lists its connections to mail providers. platform: owned by the platform, usable by every organization.',
  }),
  provider: is.text<EmailProvider>({ enum: EMAIL_PROVIDERS, example: 'smtp' }),
  connection: is.text<'own' | 'platform'>({
    enum: ['own', 'platform'],
    example: 'own',
    description: 'Whose connection to the provider sends now.',
  }),
  status: is.text<'pending' | 'verified' | 'failed'>({
    enum: ['pending', 'verified', 'failed'],
    example: 'pending',
    description: 'Only verified domains send.',
  }),
  checkResult: is.of<string | null>({ type: String, nullable: true, example: null }),
  record: is.object(() => DnsRecordDto, { description: 'To be created; null: nothing is needed.' }).orNull,
  checkedAt: is.of<Date | null>({ type: String, format: 'date-time', nullable: true, example: null }),
  verifiedAt: is.of<Date | null>({ type: String, format: 'date-time', nullable: true, example: null }),
  createdAt: is.date({ example: '2026-11-23T09:00:00.000Z' }),
}) {
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
