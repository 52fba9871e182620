import { ApiProperty } from '@nestjs/swagger';
import { AT, ID, PERMISSION } from '../../dto/examples.js';

export const SOURCES = ['organization_service_access', 'role_bundle', 'user_override'] as const;

export class PermissionEntryDto {
  @ApiProperty({ example: PERMISSION })
  permission!: string;

  @ApiProperty({ example: ID, format: 'uuid' })
  serviceId!: string;

  @ApiProperty({ example: 'social-publishing', description: 'Slug of the service.' })
  service!: string;

  @ApiProperty({ example: 'posts' })
  resource!: string;

  @ApiProperty({ example: 'write' })
  action!: string;

  @ApiProperty({ example: 'posts.write', description: 'The permission as a scope.' })
  scope!: string;

  @ApiProperty({ example: ID, format: 'uuid', description: 'The organization of the permission.' })
  organizationId!: string;

  @ApiProperty({
    example: ['organization_service_access', 'role_bundle'],
    enum: SOURCES,
    isArray: true,
    description:
      'The organization has access to the service, and a role bundle or an override grants the permission.',
  })
  sources!: (typeof SOURCES)[number][];
}

export class ServiceAccessSourceDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  organizationId!: string;

  @ApiProperty({ example: ID, format: 'uuid' })
  serviceId!: string;

  @ApiProperty({ example: 'social-publishing' })
  service!: string;

  @ApiProperty({ example: AT, format: 'date-time' })
  grantedAt!: string;
}

export class RoleBundleSourceDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  organizationId!: string;

  @ApiProperty({ example: ID, format: 'uuid' })
  serviceId!: string;

  @ApiProperty({ example: 'social-publishing' })
  service!: string;

  @ApiProperty({ example: 'member', enum: ['owner', 'admin', 'member', 'viewer'] })
  role!: string;

  @ApiProperty({
    example: 'Member of Social publishing',
    type: String,
    nullable: true,
    description: 'Name of the bundle.',
  })
  bundle!: string | null;

  @ApiProperty({
    example: [PERMISSION],
    type: [String],
    description: 'All permissions of the bundle, including denied ones.',
  })
  permissions!: string[];
}

export class UserOverrideSourceDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  organizationId!: string;

  @ApiProperty({ example: PERMISSION })
  permission!: string;

  @ApiProperty({ example: 'deny', enum: ['allow', 'deny'] })
  effect!: 'allow' | 'deny';

  @ApiProperty({ example: 'Covers for Ada', type: String, nullable: true })
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
  @ApiProperty({ example: ID, format: 'uuid' })
  userId!: string;

  @ApiProperty({
    example: [PERMISSION],
    type: [String],
    description: 'Permissions in any organization, as serviceId.resource:action.',
  })
  effectivePermissions!: string[];

  @ApiProperty({ type: () => [PermissionEntryDto] })
  effectivePermissionEntries!: PermissionEntryDto[];

  @ApiProperty({ type: () => PermissionSourcesDto })
  sources!: PermissionSourcesDto;
}
