import { ApiProperty } from '@nestjs/swagger';
import { AT, ID } from '../../dto/examples.js';

const INSTANT_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;

export class ApiKeyDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Queue robot' })
  name!: string;

  @ApiProperty({ example: 'social-publishing' })
  service!: string;

  @ApiProperty({ example: 'cop_live_', description: 'Prefix of every key.' })
  prefix!: string;

  @ApiProperty({ example: 'x9Qa', description: 'Last four characters of the key.' })
  lastFour!: string;

  @ApiProperty({ type: [String], example: ['posts.read'] })
  scopes!: string[];

  @ApiProperty({
    example: null,
    type: [String],
    nullable: true,
    description: 'null: all brands of the organization.',
  })
  brandIds!: string[] | null;

  @ApiProperty({
    example: ID,
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'User id of the creator.',
  })
  createdBy!: string | null;

  @ApiProperty({ example: AT, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ example: null, ...INSTANT_OR_NULL, description: 'null: never.' })
  expiresAt!: Date | null;

  @ApiProperty({ example: AT, ...INSTANT_OR_NULL, description: 'Accurate to the minute; null: never.' })
  lastUsedAt!: Date | null;

  @ApiProperty({ ...INSTANT_OR_NULL, example: null })
  revokedAt!: Date | null;

  @ApiProperty({
    example: null,
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The key that replaces it after a rotation.',
  })
  replacedBy!: string | null;
}

export class NewApiKeyDto extends ApiKeyDto {
  @ApiProperty({
    example: 'cop_live_…',
    description: 'The key, shown only in this response. Send as `X-Api-Key`.',
  })
  key!: string;
}
