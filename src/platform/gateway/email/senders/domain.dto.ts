import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { WhenSent } from '#libs/http';
import { EMAIL_PROVIDERS, type EmailProvider } from '../email.types.js';
import type { DomainRow } from './domains.store.js';
import { CHALLENGE_PREFIX } from './verify-domain.js';

const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';

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
  status!: DomainRow['status'];

  @ApiProperty({ type: String, nullable: true, example: null })
  checkResult!: string | null;

  @ApiProperty({
    type: () => DnsRecordDto,
    nullable: true,
    description: 'To be created; null: nothing is needed.',
  })
  record!: DnsRecordDto | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  checkedAt!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  verifiedAt!: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-11-23T09:00:00.000Z' })
  createdAt!: string;

  /** @param isOwner whether the caller manages it: others do not see the challenge */
  static of(row: DomainRow, isOwner = true): EmailDomainDto {
    const hasRecord = isOwner && row.challenge !== '';
    return {
      id: row.id,
      name: row.name,
      kind: row.organization_id === null ? 'platform' : 'cloud_mail',
      provider: row.provider,
      connection: row.has_connection ? 'own' : 'platform',
      status: row.status,
      checkResult: isOwner ? row.check_result : null,
      record: hasRecord ? { type: 'TXT', name: CHALLENGE_PREFIX + row.name, value: row.challenge } : null,
      checkedAt: row.checked_at?.toISOString() ?? null,
      verifiedAt: row.verified_at?.toISOString() ?? null,
      createdAt: row.created_at.toISOString(),
    };
  }
}
