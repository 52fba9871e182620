import { ApiProperty } from '@nestjs/swagger';

const PERMISSION = { example: '0197a1f0-3c6e-7000-8000-000000000001.posts:write' };
export const SOURCES = ['organization_service_access', 'role_bundle', 'user_override'] as const;

export class PermissionEntryDto {
  @ApiProperty(PERMISSION)
  permission!: string;

  @ApiProperty({ format: 'uuid' })
  serviceId!: string;

  @ApiProperty({ example: 'social-publishing', description: 'Slug of the service.' })
  service!: string;

  @ApiProperty({ example: 'posts' })
  resource!: string;

  @ApiProperty({ example: 'write' })
  action!: string;

  @ApiProperty({ example: 'posts.write', description: 'The same as scopes are written.' })
  scope!: string;

  @ApiProperty({ format: 'uuid', description: 'Where it holds.' })
  organizationId!: string;

  @ApiProperty({
    enum: SOURCES,
    isArray: true,
    description: 'Why: the organization has the service, and a role bundle or an override grants it.',
  })
  sources!: (typeof SOURCES)[number][];
}

export class ServiceAccessSourceDto {
  @ApiProperty({ format: 'uuid' })
  organizationId!: string;

  @ApiProperty({ format: 'uuid' })
  serviceId!: string;

  @ApiProperty({ example: 'social-publishing' })
  service!: string;

  @ApiProperty({ format: 'date-time' })
  grantedAt!: string;
}

export class RoleBundleSourceDto {
  @ApiProperty({ format: 'uuid' })
  organizationId!: string;

  @ApiProperty({ format: 'uuid' })
  serviceId!: string;

  @ApiProperty({ example: 'social-publishing' })
  service!: string;

  @ApiProperty({ enum: ['owner', 'admin', 'member', 'viewer'] })
  role!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Name of the bundle.' })
  bundle!: string | null;

  @ApiProperty({ type: [String], description: 'All it brings, denied ones too.' })
  permissions!: string[];
}

export class UserOverrideSourceDto {
  @ApiProperty({ format: 'uuid' })
  organizationId!: string;

  @ApiProperty(PERMISSION)
  permission!: string;

  @ApiProperty({ enum: ['allow', 'deny'] })
  effect!: 'allow' | 'deny';

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;
}

export class PermissionSourcesDto {
  @ApiProperty({ type: () => [ServiceAccessSourceDto] })
  organizationServiceAccess!: ServiceAccessSourceDto[];

  @ApiProperty({ type: () => [RoleBundleSourceDto] })
  roleBundles!: RoleBundleSourceDto[];

  @ApiProperty({ type: () => [UserOverrideSourceDto] })
  userOverrides!: UserOverrideSourceDto[];
}

export class PermissionPayloadDto {
  @ApiProperty({ format: 'uuid' })
  userId!: string;

  @ApiProperty({ type: [String], description: 'Written serviceId.resource:action; in any organization.' })
  effectivePermissions!: string[];

  @ApiProperty({ type: () => [PermissionEntryDto] })
  effectivePermissionEntries!: PermissionEntryDto[];

  @ApiProperty({ type: () => PermissionSourcesDto })
  sources!: PermissionSourcesDto;
}
