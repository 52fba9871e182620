import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FilterOf, ListWarningsDto } from '#libs/http';
import { ID, PERMISSION } from '../dto/examples.js';
import type { ServiceEntity } from './catalog.entities.js';

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

export class PermissionDto {
  @ApiProperty({ example: '0197a1f0-3c6e-7000-8000-000000000001.posts:write' })
  permission!: string;

  @ApiProperty({ example: 'posts.write' })
  scope!: string;

  @ApiProperty({ example: 'Create, edit, approve, reject and retry posts' })
  description!: string;
}

export class PermissionCatalogDto extends ListWarningsDto {
  @ApiProperty({ type: () => [PermissionDto] })
  data!: PermissionDto[];
}

export class ScopeCatalogDto extends ListWarningsDto {
  @ApiProperty({ type: [String], example: ['posts.read', 'posts.write'] })
  data!: string[];
}

export class RoleBundleDto {
  @ApiProperty({ example: 'member', enum: ['owner', 'admin', 'member', 'viewer'] })
  role!: string;

  @ApiProperty({ example: 'Member of Social publishing' })
  name!: string;

  @ApiProperty({ example: [PERMISSION], type: [String] })
  permissions!: string[];

  @ApiProperty({ example: ['posts.write'], type: [String] })
  scopes!: string[];
}

export class RoleBundleCatalogDto extends ListWarningsDto {
  @ApiProperty({ type: () => [RoleBundleDto] })
  data!: RoleBundleDto[];
}

const LAUNCHABLE = new Map([
  ['true', true],
  ['false', false],
]);
const CONTEXTS = ['personal', 'organization'] as const;

export class ServicesQuery {
  @ApiPropertyOptional({ type: Boolean, description: 'Only launchable services, or only the others.' })
  @FilterOf((value) => LAUNCHABLE.get(value), 'not_a_boolean', 'true or false')
  launchable?: boolean;

  @ApiPropertyOptional({ enum: CONTEXTS })
  @FilterOf(
    (value) => CONTEXTS.find((context) => context === value),
    'not_allowed',
    `one of ${CONTEXTS.join(', ')}`,
  )
  context?: (typeof CONTEXTS)[number];
}
