import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { RequestIsNotValid } from '#libs/http';
import { AuditLog } from '../audit/audit-log.js';
import { MemberNotFound } from '../identity.errors.js';
import type { Administrator } from '../members/members.js';
import { parsePermission } from '../registry/permission-name.js';
import type { OverrideDto } from './dto/overrides.dto.js';

/** Exceptions from what a member's role brings. */
@Injectable()
export class Overrides {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /**
   * All of the member's overrides in the organization, from now on. Only what the actor may do itself can be allowed.
   * @throws MemberNotFound, RequestIsNotValid
   */
  async replace(
    organizationId: string,
    userId: string,
    overrides: readonly OverrideDto[],
    { actor, role }: Administrator,
  ): Promise<void> {
    const parsed = overrides.map(({ permission }, index) => parsePermission(permission) ?? unknown([index]));
    await this.database.transaction(async (transaction) => {
      const member = await transaction.query(
        `SELECT FROM identity.membership WHERE organization_id = $1 AND user_id = $2 FOR UPDATE`,
        [organizationId, userId],
      );
      if (member.length === 0) throw new MemberNotFound();
      await transaction.query(
        'DELETE FROM identity.permission_override WHERE organization_id = $1 AND user_id = $2',
        [organizationId, userId],
      );
      const stored = await transaction.query(
        `INSERT INTO identity.permission_override (organization_id, user_id, service_id, scope, effect, reason)
         SELECT $1, $2, p.service_id, p.scope, o.effect, o.reason
           FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS o (service_id, scope, effect, reason)
           JOIN identity.permission p USING (service_id, scope)
          WHERE o.effect = 'deny' OR p.scope = ANY (identity.scopes_of($1, $7, $8, p.service_id))
         ON CONFLICT DO NOTHING RETURNING scope`,
        [
          ...[organizationId, userId, parsed.map((one) => one.serviceId), parsed.map((one) => one.scope)],
          ...[overrides.map(({ effect }) => effect), overrides.map(({ reason }) => reason ?? null)],
          ...[actor.id, role],
        ],
      );
      if (stored.length < overrides.length) unknown(overrides.keys());
      const target = { type: 'user', id: userId };
      const details = { overrides: overrides.map(({ permission, effect }) => ({ permission, effect })) };
      await this.audit.record(transaction, {
        ...{ action: 'permissions_changed', actor, organizationId, target, details },
      });
    });
  }
}

function unknown(indexes: Iterable<number>): never {
  const detail = 'must be in the catalog of a service, be named once, and be yours to allow';
  const at = [...indexes].map((index) => `#/overrides/${index}/permission`);
  throw new RequestIsNotValid(at.map((pointer) => ({ pointer, code: 'unknown_permission', detail })));
}
