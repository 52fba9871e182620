import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import type { Platform } from '#libs/content';
import { AmongFilter, ListQuery, PageDto } from '#libs/http';
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

export class ApiVersionDto {
  @ApiProperty({ description: 'As the network writes it.', example: 'v26.0' })
  name!: string;

  @ApiProperty({
    description: 'When the network stops serving it; null: not announced.',
    type: 'string',
    format: 'date-time',
    nullable: true,
  })
  endsAt!: string | null;
}

export class ProviderDto {
  @ApiProperty({ enum: PLATFORMS, enumName: 'Platform', example: 'x' })
  platform!: Platform;

  @ApiProperty({ example: 'X' })
  displayName!: string;

  @ApiProperty({
    enum: READINESS,
    description: 'How far accounts can be connected.',
    example: 'production-ready',
  })
  readiness!: Readiness;

  @ApiProperty({ description: 'Whether connecting an account is possible now.' })
  connectable!: boolean;

  @ApiProperty({
    description: 'The version of the interface of the network that this service calls; null: it has none.',
    type: ApiVersionDto,
    nullable: true,
  })
  apiVersion!: ApiVersionDto | null;

  @ApiProperty({
    type: [AccountWarningDto],
    description: 'What an operator has to do before something ends.',
  })
  warnings!: readonly AccountWarningDto[];
}

export class IntegrationsPageDto extends PageDto(IntegrationDto) {
  @ApiProperty({ type: [ProviderDto], description: 'Every network, connected or not.' })
  providers!: readonly ProviderDto[];
}
