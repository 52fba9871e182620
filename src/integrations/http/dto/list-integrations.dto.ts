import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import type { Platform } from '#libs/content';
import { AmongFilter, is, ListQuery, PageDto, shape } from '#libs/http';
import { PLATFORMS } from '../../networks.js';
import type { Readiness } from '../../provider.types.js';
import type { ConnectionState } from '../../domain/connection.js';
import { IntegrationDto, LISTED_STATES, READINESS } from './integration.dto.js';
import { AccountWarningDto } from './integration-state.dto.js';

export class ListIntegrationsQuery extends ListQuery {
  @ApiPropertyOptional({ description: 'Limits the list to one brand, as `X-Brand-ID` does.', format: 'uuid' })
  @Allow()
  brandId?: string;

  @ApiPropertyOptional({
    description: 'Only accounts of these networks: repeat the parameter or separate by commas.',
    enum: PLATFORMS,
    enumName: 'Platform',
    isArray: true,
  })
  @AmongFilter(PLATFORMS)
  platform?: Platform[];

  @ApiPropertyOptional({
    description: 'Only accounts in these states: repeat the parameter or separate by commas.',
    enum: LISTED_STATES,
    isArray: true,
  })
  @AmongFilter(LISTED_STATES)
  state?: ConnectionState[];
}

export class ApiVersionDto extends shape({
  name: is.text({ description: 'As the network writes it.', example: 'v26.0' }),
  endsAt: is.instant({ description: 'When the network stops serving it; null: not announced.' }).orNull,
}) {}

export class ProviderDto extends shape({
  platform: is.text<Platform>({ enum: PLATFORMS, enumName: 'Platform', example: 'x' }),
  displayName: is.text({ example: 'X' }),
  readiness: is.text<Readiness>({
    enum: READINESS,
    description: 'How far accounts can be connected.',
    example: 'production-ready',
  }),
  connectable: is.flag({ description: 'Whether connecting an account is possible now.' }),
  apiVersion: is.of<ApiVersionDto | null>({
    description: 'The version of the interface of the network that this service calls; null: it has none.',
    type: ApiVersionDto,
    nullable: true,
  }),
  warnings: is.list(() => AccountWarningDto, {
    description: 'What an operator has to do before something ends.',
  }),
}) {}

export class IntegrationsPageDto extends shape(
  {
    providers: is.list(() => ProviderDto, { description: 'Every network, connected or not.' }),
  },
  PageDto(IntegrationDto),
) {}
