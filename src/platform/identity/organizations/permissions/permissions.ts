import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { permissionName } from '../../registry/permission-name.js';
import type { PermissionEntryDto, PermissionPayloadDto } from './permission-payload.dto.js';
import { ACCESS, type AccessRow, type OverrideRow, OVERRIDES, VISIBLE } from './permissions.sql.js';

/** Permissions of a user in all organizations, with their sources. Never cached. */
@Injectable()
export class Permissions {
  constructor(private readonly database: Database) {}

  /**
   * All permissions of the caller; of another user those in organizations that the caller administers.
   * @returns null when the caller may not know that the user exists.
   */
  async of(userId: string, callerId: string): Promise<PermissionPayloadDto | null> {
    const [user] = await this.database.query<{ id: string }>(VISIBLE, [userId, callerId]);
    if (!user) return null;
    const access = await this.database.query<AccessRow>(ACCESS, [userId, callerId]);
    const organizations = [...new Set(access.map((row) => row.organization_id))];
    const overrides = await this.database.query<OverrideRow>(OVERRIDES, [userId, organizations]);
    return payloadOf(userId, access, overrides);
  }
}

/** Pure. */
export function payloadOf(
  userId: string,
  access: readonly AccessRow[],
  overrides: readonly OverrideRow[],
): PermissionPayloadDto {
  const entries = access.flatMap((row) => row.effective.map((scope) => entry(row, scope, overrides)));
  return {
    userId,
    effectivePermissions: [...new Set(entries.map(({ permission }) => permission))].sort(),
    effectivePermissionEntries: entries,
    sources: {
      organizationServiceAccess: access.map((row) => ({
        organizationId: row.organization_id,
        serviceId: row.service_id,
        service: row.service,
        grantedAt: row.granted_at.toISOString(),
      })),
      roleBundles: access.map((row) => ({
        organizationId: row.organization_id,
        serviceId: row.service_id,
        service: row.service,
        role: row.role,
        bundle: row.bundle,
        permissions: row.bundled.map((scope) => permissionName(row.service_id, scope)),
      })),
      userOverrides: overrides.map((row) => ({
        organizationId: row.organization_id,
        permission: permissionName(row.service_id, row.scope),
        effect: row.effect,
        reason: row.reason,
      })),
    },
  };
}

function entry(row: AccessRow, scope: string, overrides: readonly OverrideRow[]): PermissionEntryDto {
  const [resource = '', action = ''] = scope.split('.');
  const allowed = overrides.some(
    (override) =>
      override.organization_id === row.organization_id &&
      override.service_id === row.service_id &&
      override.scope === scope &&
      override.effect === 'allow',
  );
  return {
    permission: permissionName(row.service_id, scope),
    serviceId: row.service_id,
    service: row.service,
    resource,
    action,
    scope,
    organizationId: row.organization_id,
    sources: [
      'organization_service_access',
      ...(row.bundled.includes(scope) ? (['role_bundle'] as const) : []),
      ...(allowed ? (['user_override'] as const) : []),
    ],
  };
}
