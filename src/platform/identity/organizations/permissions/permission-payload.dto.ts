import { is, shape } from '#libs/http';
import { AT, ID, PERMISSION } from '../../dto/examples.js';

export const SOURCES = ['organization_service_access', 'role_bundle', 'user_override'] as const;

export class PermissionEntryDto extends shape({
  permission: is.text({ example: PERMISSION }),
  serviceId: is.uuid({ example: ID }),
  service: is.text({ example: 'social-publishing', description: 'Slug of the service.' }),
  resource: is.text({ example: 'posts' }),
  action: is.text({ example: 'write' }),
  scope: is.text({ example: 'posts.write', description: 'The permission as a scope.' }),
  organizationId: is.uuid({ example: ID, description: 'The organization of the permission.' }),
  sources: is.of<(typeof SOURCES)[number][]>({
    example: ['organization_service_access', 'role_bundle'],
    enum: SOURCES,
    isArray: true,
    description:
      'The organization has access to the service, and a role bundle or an override grants the permission.',
  }),
}) {}

export class ServiceAccessSourceDto extends shape({
  organizationId: is.uuid({ example: ID }),
  serviceId: is.uuid({ example: ID }),
  service: is.text({ example: 'social-publishing' }),
  grantedAt: is.instant({ example: AT }),
}) {}

export class RoleBundleSourceDto extends shape({
  organizationId: is.uuid({ example: ID }),
  serviceId: is.uuid({ example: ID }),
  service: is.text({ example: 'social-publishing' }),
  role: is.text({ example: 'member', enum: ['owner', 'admin', 'member', 'viewer'] }),
  bundle: is.of<string | null>({
    example: 'Member of Social publishing',
    type: String,
    nullable: true,
    description: 'Name of the bundle.',
  }),
  permissions: is.texts({
    example: [PERMISSION],
    description: 'All permissions of the bundle, including denied ones.',
  }),
}) {}

export class UserOverrideSourceDto extends shape({
  organizationId: is.uuid({ example: ID }),
  permission: is.text({ example: PERMISSION }),
  effect: is.text<'allow' | 'deny'>({ example: 'deny', enum: ['allow', 'deny'] }),
  reason: is.of<string | null>({ example: 'Covers for Ada', type: String, nullable: true }),
}) {}

export class PermissionSourcesDto extends shape({
  organizationServiceAccess: is.list(() => ServiceAccessSourceDto),
  roleBundles: is.list(() => RoleBundleSourceDto),
  userOverrides: is.list(() => UserOverrideSourceDto),
}) {}

export class PermissionPayloadDto extends shape({
  userId: is.uuid({ example: ID }),
  effectivePermissions: is.texts({
    example: [PERMISSION],
    description: 'Permissions in any organization, as serviceId.resource:action.',
  }),
  effectivePermissionEntries: is.list(() => PermissionEntryDto),
  sources: is.object(() => PermissionSourcesDto),
}) {}
