import { ApiProperty } from '@nestjs/swagger';
import { AT, ID } from '../../dto/examples.js';

export class ServiceTokenDto {
  @ApiProperty({ example: 'x9Qa' })
  lastFour!: string;

  @ApiProperty({
    example: null,
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null: never.',
  })
  expiresAt!: string | null;
}

export class ServicePrincipalDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Post suggester' })
  name!: string;

  @ApiProperty({ example: 'social-publishing' })
  service!: string;

  @ApiProperty({ type: [String], example: ['posts.read', 'posts.write'] })
  scopes!: string[];

  @ApiProperty({
    example: null,
    type: [String],
    nullable: true,
    description: 'null: all brands of the organization.',
  })
  brandIds!: string[] | null;

  @ApiProperty({ type: () => [ServiceTokenDto], description: 'Valid tokens, newest first.' })
  tokens!: ServiceTokenDto[];

  @ApiProperty({ example: ID, type: String, format: 'uuid', nullable: true })
  createdBy!: string | null;

  @ApiProperty({ example: AT, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ example: null, type: String, format: 'date-time', nullable: true })
  disabledAt!: Date | null;

  /** PostgreSQL writes instants within JSON in another form. */
  static of<T extends ServicePrincipalDto>(row: T): T {
    const tokens = row.tokens.map(({ lastFour, expiresAt }) => ({
      lastFour,
      expiresAt: expiresAt && new Date(expiresAt).toISOString(),
    }));
    return { ...row, tokens };
  }
}

export class NewServicePrincipalDto extends ServicePrincipalDto {
  @ApiProperty({
    example: 'cops_…',
    description: 'The token, shown only in this response. Send as `Authorization: Bearer …`.',
  })
  token!: string;
}
