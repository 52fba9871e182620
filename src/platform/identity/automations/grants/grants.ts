import { Injectable } from '@nestjs/common';
import { ScopeIsMissing } from '#libs/auth';
import type { Executor } from '#libs/database';
import { RequestIsNotValid } from '#libs/http';
import { RoleIsNotOffered, ScopesAreNotOffered } from '../../identity.errors.js';
import type { Administrator, Role } from '../../access/administration.js';
import { permissionName } from '../../registry/permission-name.js';

export interface GrantRequest {
  /** Slug. */
  readonly service: string;
  readonly scopes: readonly string[];
}

export interface Grant {
  readonly serviceId: string;
  readonly scopes: readonly string[];
}

/** Also for service principals: otherwise a member without this scope could create one of those instead of a key. */
const MANAGE_CREDENTIALS = 'api_keys.write';

/** Rules about the permissions that an administrator can grant. */
@Injectable()
export class Grants {
  /** @throws RequestIsNotValid for an unknown service, ScopesAreNotOffered */
  async resolve(
    executor: Executor,
    organizationId: string,
    request: GrantRequest,
    by: Administrator,
  ): Promise<Grant> {
    const [row] = await executor.query<{ id: string; offered: string[] }>(
      `SELECT s.id, ARRAY(
          SELECT c.scope FROM identity.api_key_scope c
           WHERE c.service_id = s.id AND c.scope = ANY ($2)
             AND c.scope = ANY (identity.scopes_of($3, $4, $5, s.id)) ORDER BY c.scope) AS offered
         FROM identity.service s WHERE s.slug = $1`,
      [request.service, request.scopes, organizationId, by.actor.id, by.role],
    );
    if (!row) {
      const detail = 'is not the slug of a service';
      throw new RequestIsNotValid([{ pointer: '#/service', code: 'unknown_service', detail }]);
    }
    const refused = request.scopes.filter((scope) => !row.offered.includes(scope));
    if (refused.length > 0) throw new ScopesAreNotOffered(refused);
    return { serviceId: row.id, scopes: row.offered };
  }

  /**
   * If the catalog of the service contains `api_keys.write`, an administrator also needs it to manage keys and service
   * principals of that service. The scope does not replace the role.
   * @param service slug. @throws ScopeIsMissing
   */
  async mustManageCredentials(
    executor: Executor,
    organizationId: string,
    service: string,
    by: Administrator,
  ): Promise<void> {
    const missing = await executor.query(
      `SELECT FROM identity.service s JOIN identity.permission p ON p.service_id = s.id
        WHERE s.slug = $1 AND p.scope = $2 AND p.scope <> ALL (identity.scopes_of($3, $4, $5, s.id))`,
      [service, MANAGE_CREDENTIALS, organizationId, by.actor.id, by.role],
    );
    if (missing.length > 0) throw new ScopeIsMissing([MANAGE_CREDENTIALS]);
  }

  /**
   * The administrator must have every permission that the role adds to those of the person.
   * @param userId null for a person without a known account. @throws RoleIsNotOffered
   */
  async mustHoldRole(
    executor: Executor,
    organizationId: string,
    userId: string | null,
    { from, to }: { from: Role | null; to: Role },
    by: Administrator,
  ): Promise<void> {
    const offered = await this.held(executor, organizationId, by.actor.id, by.role);
    const before = from ? await this.held(executor, organizationId, userId, from) : new Set();
    const after = await this.held(executor, organizationId, userId, to);
    const refused = [...after].filter((permission) => !before.has(permission) && !offered.has(permission));
    if (refused.length > 0) throw new RoleIsNotOffered(refused);
  }

  /** Names of all permissions of a member with this role in the organization. */
  async held(
    executor: Executor,
    organizationId: string,
    userId: string | null,
    role: string,
  ): Promise<ReadonlySet<string>> {
    const rows = await executor.query<{ service_id: string; scope: string }>(
      `SELECT a.service_id, h.scope FROM identity.organization_service_access a,
              unnest(identity.scopes_of($1, $2, $3, a.service_id)) AS h (scope) WHERE a.organization_id = $1`,
      [organizationId, userId, role],
    );
    return new Set(rows.map(({ service_id, scope }) => permissionName(service_id, scope)));
  }
}
