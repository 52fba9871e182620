import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsString, IsUUID, MaxLength } from 'class-validator';
import { IsName, OptionalString, WhenSent } from '#libs/http';

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
