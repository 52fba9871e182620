import { Injectable } from '@nestjs/common';
import { ScopeIsMissing } from '#libs/auth';
import type { Executor } from '#libs/database';
import { RequestIsNotValid } from '#libs/http';
import { RoleIsNotOffered, ScopesAreNotOffered } from '../identity.errors.js';
import type { Administrator, Role } from '../members/administrator.js';
import { permissionName } from '../registry/permission-name.js';

export interface GrantRequest {
  /** Slug. */
  readonly service: string;
  readonly scopes: readonly string[];
}

export interface Grant {
  readonly serviceId: string;
  readonly scopes: readonly string[];
}

/** Of service principals too: else who is denied keys would make one of those. */
const MANAGE_CREDENTIALS = 'api_keys.write';

/** What an administrator may hand on to a key or a service principal. */
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
   * Goes on for who may make, rotate and end keys and service principals of the service: beside the role, which the
   * permission does not replace, those who hold it, where the service has it in its catalog.
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
   * What the role adds to what the person may do already must be the administrator's to give.
   * @param userId null for a person who is not known yet. @throws RoleIsNotOffered
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

  /** Names of all that a member with this role may do in the organization, as the tables say it at this moment. */
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
