import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FilterOf, ListWarningsDto } from '#libs/http';
import { PERMISSION } from '../../dto/examples.js';

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
