import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import type { Platform } from '#libs/content';
import { ListQuery, PageDto } from '#libs/http';
import { PLATFORMS } from '../../networks.js';
import type { Readiness } from '../../provider.js';
import { IntegrationDto, READINESS } from './integration.dto.js';

export class ListIntegrationsQuery extends ListQuery {
  @ApiPropertyOptional({ description: 'Limits the list to one brand, as `X-Brand-ID` does.', format: 'uuid' })
  @Allow()
  brandId?: string;
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
}

export class IntegrationsPageDto extends PageDto(IntegrationDto) {
  @ApiProperty({ type: [ProviderDto], description: 'Every network, connected or not.' })
  providers!: readonly ProviderDto[];
}
