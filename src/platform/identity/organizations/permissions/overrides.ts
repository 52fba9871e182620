import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Transaction } from '#libs/database';
import { VersionIsStale } from '#libs/event-store';
import type { Actor } from '../../access/actor.js';
import { RequestIsNotValid } from '#libs/http';
import { AuditLog } from '../../audit/audit-log.js';
import { Grants } from '../../automations/grants/grants.js';
import { MemberNotFound, OwnOverridesAreFixed } from '../../identity.errors.js';
import { Administration, mustBeAllowedToChange, type Role } from '../../access/administration.js';
import { parsePermission } from '../../registry/permission-name.js';

export interface Override {
  /** Name of the permission. */
  readonly permission: string;
  readonly effect: 'allow' | 'deny';
  readonly reason?: string | null;
}

/** The overrides of a member in an organization. */
export interface OverrideList {
  /** Changes with every replacement. */
  readonly version: number;
  readonly overrides: readonly {
    readonly service_id: string;
    readonly scope: string;
    readonly effect: 'allow' | 'deny';
    readonly reason: string | null;
  }[];
}

const GET = `
  SELECT m.overrides_version AS version,
         (SELECT coalesce(json_agg(json_build_object('service_id', o.service_id, 'scope', o.scope,
                   'effect', o.effect, 'reason', o.reason) ORDER BY o.service_id, o.scope), '[]')
            FROM identity.permission_override o
           WHERE o.organization_id = m.organization_id AND o.user_id = m.user_id) AS overrides
    FROM identity.membership m WHERE m.organization_id = $1 AND m.user_id = $2`;

/** Exceptions from the permissions of a member's role. */
@Injectable()
export class Overrides {
  constructor(
    private readonly database: Database,
    private readonly administration: Administration,
    private readonly grants: Grants,
    private readonly audit: AuditLog,
  ) {}

  list(organizationId: string, userId: string): Promise<OverrideList> {
    return this.get(this.database, organizationId, userId);
  }

  /**
   * Replaces all overrides of the member in the organization. The actor can grant only their own permissions, both by
   * allowing them and by removing a denial.
   * @param ifVersion the version that the caller has read, if sent.
   */
  async replace(
    organizationId: string,
    userId: string,
    overrides: readonly Override[],
    ifVersion: number | undefined,
    actor: Actor,
  ): Promise<OverrideList> {
    if (actor.id === userId) throw new OwnOverridesAreFixed();
    return this.administration.asAdministrator(organizationId, actor, async (transaction, by) => {
      const role = await this.roleOf(transaction, organizationId, userId);
      mustBeAllowedToChange(by, role);
      const { version } = await this.get(transaction, organizationId, userId);
      if (ifVersion !== undefined && ifVersion !== version) throw new VersionIsStale(version);
      const offered = await this.grants.held(transaction, organizationId, actor.id, by.role);
      const refused = [...overrides.entries()].filter(
        ([, { permission, effect }]) => effect === 'allow' && !offered.has(permission),
      );
      if (refused.length > 0) throw notInCatalog(refused.map(([index]) => index));
      const before = await this.grants.held(transaction, organizationId, userId, role);
      await this.store(transaction, organizationId, userId, overrides);
      const after = await this.grants.held(transaction, organizationId, userId, role);
      const gained = [...after].filter((permission) => !before.has(permission) && !offered.has(permission));
      if (gained.length > 0) throw notOffered(gained);
      const target = { type: 'user', id: userId };
      const details = { overrides: overrides.map(({ permission, effect }) => ({ permission, effect })) };
      await this.audit.record(transaction, {
        action: 'permissions_changed',
        actor,
        organizationId,
        target,
        details,
      });
      return this.get(transaction, organizationId, userId);
    });
  }

  private async get(executor: Executor, organizationId: string, userId: string): Promise<OverrideList> {
    const [list] = await executor.query<OverrideList>(GET, [organizationId, userId]);
    if (!list) throw new MemberNotFound();
    return list;
  }

  private async roleOf(transaction: Transaction, organizationId: string, userId: string): Promise<Role> {
    const [member] = await transaction.query<{ role: Role }>(
      'SELECT role FROM identity.membership WHERE organization_id = $1 AND user_id = $2',
      [organizationId, userId],
    );
    if (!member) throw new MemberNotFound();
    return member.role;
  }

  private async store(
    transaction: Transaction,
    organizationId: string,
    userId: string,
    overrides: readonly Override[],
  ): Promise<void> {
    const parsed = overrides.map(({ permission }, index) => {
      const name = parsePermission(permission);
      if (!name) throw notInCatalog([index]);
      return name;
    });
    const member = [organizationId, userId];
    await transaction.query(
      'DELETE FROM identity.permission_override WHERE organization_id = $1 AND user_id = $2',
      member,
    );
    await transaction.query(
      `UPDATE identity.membership SET overrides_version = nextval('identity.override_version')
        WHERE organization_id = $1 AND user_id = $2`,
      member,
    );
    const stored = await transaction.query(
      `INSERT INTO identity.permission_override (organization_id, user_id, service_id, scope, effect, reason)
       SELECT $1, $2, p.service_id, p.scope, o.effect, o.reason
         FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS o (service_id, scope, effect, reason)
         JOIN identity.permission p USING (service_id, scope)
       ON CONFLICT DO NOTHING RETURNING scope`,
      [
        organizationId,
        userId,
        parsed.map((one) => one.serviceId),
        parsed.map((one) => one.scope),
        overrides.map(({ effect }) => effect),
        overrides.map(({ reason }) => reason ?? null),
      ],
    );
    if (stored.length < overrides.length) throw notInCatalog(overrides.keys());
  }
}

function notOffered(permissions: readonly string[]): RequestIsNotValid {
  const detail = 'is denied now, and you cannot allow it because you do not have it';
  return new RequestIsNotValid(
    permissions.map((permission) => ({
      pointer: '#/overrides',
      code: 'permission_not_offered',
      detail: `${permission} ${detail}`,
    })),
  );
}

function notInCatalog(indexes: Iterable<number>): RequestIsNotValid {
  const detail = 'must be in the catalog of a service, be listed once, and be a permission that you have';
  const at = [...indexes].map((index) => `#/overrides/${index}/permission`);
  return new RequestIsNotValid(at.map((pointer) => ({ pointer, code: 'unknown_permission', detail })));
}
