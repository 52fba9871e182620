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
  @ApiProperty({ description: 'Id of the target at the network.', example: '1029384756' })
  id!: string;

  @ApiProperty({ description: 'Display name of the target at the network.', example: 'Acme Coffee' })
  name!: string;
}

export class AccountDto {
  @ApiProperty({ description: 'Id of the account at the network.', example: '2244994945' })
  id!: string;

  @ApiProperty({ description: 'Without @.', example: 'acmecoffee' })
  username!: string;

  @ApiProperty({ example: 'Acme Coffee' })
  displayName!: string;

  @ApiProperty({
    description: 'URL of the profile picture, or null.',
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

  @ApiProperty({ description: 'Display name of the network.', example: 'X' })
  provider!: string;

  @ApiProperty({
    enum: ['active', 'reconnect-needed'],
    description:
      '`active`: posts are published. `reconnect-needed`: a member must connect the account again.',
  })
  state!: string;

  @ApiProperty({
    enum: READINESS,
    description: 'How far this connection can be used.',
    example: 'production-ready',
  })
  readiness!: Readiness;

  @ApiProperty({ type: AccountDto })
  account!: AccountDto;

  @ApiProperty({ type: [TargetDto], description: 'Pages of the account that may be published to.' })
  pages!: readonly TargetDto[];

  @ApiProperty({ type: [TargetDto], description: 'Groups of the account that may be published to.' })
  groups!: readonly TargetDto[];

  @ApiProperty({ type: [String], description: 'Granted scopes, as the network names them.' })
  scopes!: readonly string[];

  @ApiProperty({ format: 'uuid', description: 'The member who connected it.' })
  connectedBy!: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Posts wait until this time, as the network requested.',
  })
  heldUntil!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Reason why posts wait.' })
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
