import type { Platform } from '#libs/content';
import { is, shape } from '#libs/http';
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

export class TargetDto extends shape({
  id: is.text({ description: 'Id of the target at the network.', example: '1029384756' }),
  name: is.text({ description: 'Display name of the target at the network.', example: 'Acme Coffee' }),
}) {}

export class AccountDto extends shape({
  id: is.text({ description: 'Id of the account at the network.', example: '2244994945' }),
  username: is.text({ description: 'Without @.', example: 'acmecoffee' }),
  displayName: is.text({ example: 'Acme Coffee' }),
  avatarUrl: is.text({ description: 'URL of the profile picture, or null.', example: null }).orNull,
}) {}

/** One connected account. Holds no token and no name of a secret. */
export class IntegrationDto extends shape({
  id: is.uuid(),
  brandId: is.uuid(),
  platform: is.text<Platform>({ enum: PLATFORMS, enumName: 'Platform', example: 'x' }),
  provider: is.text({ description: 'Display name of the network.', example: 'X' }),
  state: is.text({
    enum: LISTED_STATES,
    description:
      '`active`: posts are published. `reconnect-needed`: a member must connect the account again.',
  }),
  readiness: is.text<Readiness>({
    enum: READINESS,
    description: 'How far this connection can be used.',
    example: 'production-ready',
  }),
  account: is.of<AccountDto>({ type: AccountDto }),
  pages: is.list(() => TargetDto, { description: 'Pages of the account that may be published to.' }),
  groups: is.list(() => TargetDto, { description: 'Groups of the account that may be published to.' }),
  scopes: is.texts({ description: 'Granted scopes, as the network names them.' }),
  connectedBy: is.uuid({ description: 'The member who connected it.' }),
  heldUntil: is.instant({ description: 'Posts wait until this time, as the network requested.' }).orNull,
  holdReason: is.text({ description: 'Reason why posts wait.' }).orNull,
  tokenHealth: is.of<TokenHealthDto>({
    type: TokenHealthDto,
    description: 'How long the access to the account lasts.',
  }),
  limits: is.list(() => LimitDto, {
    description: 'Limits that the network publishes, and what is left of them.',
  }),
  facts: is.of<AccountFacts>({
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
  }),
  warnings: is.list(() => AccountWarningDto, { description: 'What has to be done before something ends.' }),
  createdAt: is.instant(),
  updatedAt: is.instant(),
}) {
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
