import { ApiProperty } from '@nestjs/swagger';
import type { Platform } from '#libs/content';
import { PLATFORMS } from '../../networks.js';
import type { AccountFacts } from '../../domain/provider-grants.js';
import type { Readiness } from '../../provider.types.js';
import { LimitDto, TokenHealthDto, AccountWarningDto } from './integration-state.dto.js';
import type { Integration } from '../../queries/list-integrations.js';

export const READINESS: readonly Readiness[] = [
  'production-ready',
  'sandbox-only',
  'setup-required',
  'planned',
];

export const LISTED_STATES = ['active', 'reconnect-needed'] as const;

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
    enum: LISTED_STATES,
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

  @ApiProperty({ type: TokenHealthDto, description: 'How long the access to the account lasts.' })
  tokenHealth!: TokenHealthDto;

  @ApiProperty({
    type: [LimitDto],
    description: 'Limits that the network publishes, and what is left of them.',
  })
  limits!: readonly LimitDto[];

  @ApiProperty({
    description:
      'What rules of the network depend on and differs between accounts, such as a subscription or the longest video. Read once a day.',
    type: 'object',
    additionalProperties: {
      oneOf: [
        { type: 'string' },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'array', items: { type: 'string' } },
      ],
    },
    example: { subscription: 'premium' },
  })
  facts!: AccountFacts;

  @ApiProperty({ type: [AccountWarningDto], description: 'What has to be done before something ends.' })
  warnings!: readonly AccountWarningDto[];

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
      tokenHealth: integration.health,
      limits: integration.limits,
      facts: integration.facts,
      warnings: integration.warnings,
      createdAt: integration.createdAt,
      updatedAt: integration.updatedAt,
    };
  }
}
