import { ApiProperty } from '@nestjs/swagger';
import type { Platform } from '#libs/content';
import { PLATFORMS } from '../../networks.js';
import type { Readiness } from '../../provider.js';
import type { Integration } from '../../queries/list-integrations.js';

export const READINESS: readonly Readiness[] = [
  'production-ready',
  'sandbox-only',
  'setup-required',
  'planned',
];

export class TargetDto {
  @ApiProperty({ description: "The network's id.", example: '1029384756' })
  id!: string;

  @ApiProperty({ description: 'As the network shows it.', example: 'Acme Coffee' })
  name!: string;
}

export class AccountDto {
  @ApiProperty({ description: "The network's id of the account.", example: '2244994945' })
  id!: string;

  @ApiProperty({ description: 'Without @.', example: 'acmecoffee' })
  username!: string;

  @ApiProperty({ example: 'Acme Coffee' })
  displayName!: string;

  @ApiProperty({
    description: 'Address of a picture, or null.',
    type: 'string',
    nullable: true,
    example: null,
  })
  avatarUrl!: string | null;
}

/** One connected account. Holds no token and no name of a secret. */
export class IntegrationDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  brandId!: string;

  @ApiProperty({ enum: PLATFORMS, enumName: 'Platform', example: 'x' })
  platform!: Platform;

  @ApiProperty({ description: 'The network as its users call it.', example: 'X' })
  provider!: string;

  @ApiProperty({
    enum: ['active', 'reconnect-needed'],
    description: 'Whether posts go out; `reconnect-needed`: somebody has to connect the account again.',
  })
  state!: string;

  @ApiProperty({
    enum: READINESS,
    description: 'What this connection is good for.',
    example: 'production-ready',
  })
  readiness!: Readiness;

  @ApiProperty({ type: AccountDto })
  account!: AccountDto;

  @ApiProperty({ type: [TargetDto], description: 'Pages of the account that may be published to.' })
  pages!: readonly TargetDto[];

  @ApiProperty({ type: [TargetDto], description: 'Groups of the account that may be published to.' })
  groups!: readonly TargetDto[];

  @ApiProperty({ type: [String], description: 'What the person allowed, in the words of the network.' })
  scopes!: readonly string[];

  @ApiProperty({ format: 'uuid', description: 'The member who connected it.' })
  connectedBy!: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Posts wait until then, because the network asked for it.',
  })
  heldUntil!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why posts wait.' })
  holdReason!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;

  static of(integration: Integration): IntegrationDto {
    const { id, brandId, platform, state, readiness, pages, groups, scopes } = integration;
    const { accountId, username, displayName, avatarUrl } = integration;
    return {
      id,
      brandId,
      platform,
      provider: integration.displayNameOfPlatform,
      state,
      readiness,
      account: { id: accountId, username, displayName, avatarUrl },
      pages,
      groups,
      scopes,
      connectedBy: integration.userId,
      heldUntil: integration.heldUntil,
      holdReason: integration.holdReason,
      createdAt: integration.createdAt,
      updatedAt: integration.updatedAt,
    };
  }
}
