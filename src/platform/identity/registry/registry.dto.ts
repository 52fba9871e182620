import { ApiPropertyOptional } from '@nestjs/swagger';
import { FilterOf, is, ListWarningsDto, shape } from '#libs/http';
import { ID, PERMISSION } from '../dto/examples.js';
import type { ServiceEntity } from './catalog.entities.js';

export class ServiceDto extends shape({
  id: is.uuid({ example: ID, description: 'Differs between installations; find services by their slug.' }),
  slug: is.text({ example: 'social-publishing' }),
  name: is.text({ example: 'Social publishing' }),
  description: is.text({ example: 'Draft, approve, schedule and publish posts.' }),
  surface_kind: is.text({
    example: 'application',
    enum: ['application', 'api', 'runtime', 'support'],
    description: 'Applications are for people; the others are not.',
  }),
  surface_group: is.text({ example: 'marketing', description: 'Display group.' }),
  launchable: is.flag({
    example: true,
    description: 'Whether a launcher can offer it. Always false except for applications.',
  }),
  household_capable: is.flag({
    example: false,
    description: 'Whether it works for a household within the personal context.',
  }),
  supportedContexts: is.of<string[]>({
    example: ['organization'],
    enum: ['personal', 'organization'],
    isArray: true,
  }),
}) {
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

export class ServicesDto extends shape(
  {
    data: is.list(() => ServiceDto),
  },
  ListWarningsDto,
) {}

export class PermissionDto extends shape({
  permission: is.text({ example: '0197a1f0-3c6e-7000-8000-000000000001.posts:write' }),
  scope: is.text({ example: 'posts.write' }),
  description: is.text({ example: 'Create, edit, approve, reject and retry posts' }),
}) {}

export class PermissionCatalogDto extends shape(
  {
    data: is.list(() => PermissionDto),
  },
  ListWarningsDto,
) {}

export class ScopeCatalogDto extends shape(
  {
    data: is.texts({ example: ['posts.read', 'posts.write'] }),
  },
  ListWarningsDto,
) {}

export class RoleBundleDto extends shape({
  role: is.text({ example: 'member', enum: ['owner', 'admin', 'member', 'viewer'] }),
  name: is.text({ example: 'Member of Social publishing' }),
  permissions: is.texts({ example: [PERMISSION] }),
  scopes: is.texts({ example: ['posts.write'] }),
}) {}

export class RoleBundleCatalogDto extends shape(
  {
    data: is.list(() => RoleBundleDto),
  },
  ListWarningsDto,
) {}

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
