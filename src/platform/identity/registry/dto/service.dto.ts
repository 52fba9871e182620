import { ApiProperty } from '@nestjs/swagger';
import { ListWarningsDto } from '#libs/http';
import type { ServiceEntity } from '../service.entity.js';
import { ID } from '../../dto/examples.js';

export class ServiceDto {
  @ApiProperty({
    example: ID,
    format: 'uuid',
    description: 'Differs between installations; find services by their slug.',
  })
  id!: string;

  @ApiProperty({ example: 'social-publishing' })
  slug!: string;

  @ApiProperty({ example: 'Social publishing' })
  name!: string;

  @ApiProperty({ example: 'Draft, approve, schedule and publish posts.' })
  description!: string;

  @ApiProperty({
    example: 'application',
    enum: ['application', 'api', 'runtime', 'support'],
    description: 'Applications are for people; the others are not.',
  })
  surface_kind!: string;

  @ApiProperty({ example: 'marketing', description: 'Display group.' })
  surface_group!: string;

  @ApiProperty({
    example: true,
    description: 'Whether a launcher can offer it. Always false except for applications.',
  })
  launchable!: boolean;

  @ApiProperty({
    example: false,
    description: 'Whether it works for a household within the personal context.',
  })
  household_capable!: boolean;

  @ApiProperty({ example: ['organization'], enum: ['personal', 'organization'], isArray: true })
  supportedContexts!: string[];

  static of(row: ServiceEntity): ServiceDto {
    const { id, slug, name, description, launchable, supportedContexts } = row;
    return {
      id,
      slug,
      name,
      description,
      surface_kind: row.surfaceKind,
      surface_group: row.surfaceGroup,
      launchable,
      household_capable: row.householdCapable,
      supportedContexts,
    };
  }
}

export class ServicesDto extends ListWarningsDto {
  @ApiProperty({ type: () => [ServiceDto] })
  data!: ServiceDto[];
}
