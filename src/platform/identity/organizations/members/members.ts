import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#libs/database';
import type { Actor } from '../../access/actor.js';
import { type AuditAction, AuditLog } from '../../audit/audit-log.js';
import { Grants } from '../../automations/grants/grants.js';
import { MemberNotFound, OrganizationNeedsAnOwner } from '../../identity.errors.js';
import {
  Administration,
  type Administrator,
  mustBeAllowedToChange,
  type Role,
} from '../../access/administration.js';

export interface MemberRow {
  /** User id. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly created_at: Date;
}

const SELECT = `SELECT u.id, u.name, u.email, m.role, m.created_at
  FROM identity.membership m JOIN identity.user_account u ON u.id = m.user_id WHERE m.organization_id = $1`;

/** Members of an organization. */
@Injectable()
export class Members {
  constructor(
    private readonly database: Database,
    private readonly administration: Administration,
    private readonly grants: Grants,
    private readonly audit: AuditLog,
  ) {}

  list(organizationId: string, after: string | null, count: number): Promise<MemberRow[]> {
    const sql = `${SELECT} AND ($2::uuid IS NULL OR u.id > $2) ORDER BY u.id LIMIT $3`;
    return this.database.query<MemberRow>(sql, [organizationId, after, count]);
  }

  setRole(organizationId: string, userId: string, role: Role, actor: Actor): Promise<MemberRow> {
    return this.administration.asAdministrator(organizationId, actor, async (transaction, by) => {
      const member = await this.get(transaction, organizationId, userId);
      if (member.role === role) return member;
      mustBeAllowedToChange(by, member.role);
      mustBeAllowedToChange(by, role);
      await this.grants.mustHoldRole(
        transaction,
        organizationId,
        userId,
        { from: member.role, to: role },
        by,
      );
      if (member.role === 'owner') await this.mustNotBeLastOwner(transaction, organizationId);
      await transaction.query(
        'UPDATE identity.membership SET role = $3 WHERE organization_id = $1 AND user_id = $2',
        [organizationId, userId, role],
      );
      const details = { from: member.role, to: role };
      await this.record(transaction, 'member_role_changed', by, organizationId, userId, details);
      return { ...member, role };
    });
  }

  /** Members also leave by this. */
  remove(organizationId: string, userId: string, actor: Actor): Promise<void> {
    const { administration } = this;
    const leave = async (transaction: Transaction, by: Administrator) => {
      const member = await this.get(transaction, organizationId, userId);
      if (actor.id !== userId) mustBeAllowedToChange(by, member.role);
      if (member.role === 'owner') await this.mustNotBeLastOwner(transaction, organizationId);
      await transaction.query('DELETE FROM identity.membership WHERE organization_id = $1 AND user_id = $2', [
        organizationId,
        userId,
      ]);
      await this.record(transaction, 'member_removed', by, organizationId, userId, { role: member.role });
    };
    return actor.id === userId
      ? administration.asMember(organizationId, actor, leave)
      : administration.asAdministrator(organizationId, actor, leave);
  }

  private async get(transaction: Transaction, organizationId: string, userId: string): Promise<MemberRow> {
    const [row] = await transaction.query<MemberRow>(`${SELECT} AND u.id = $2`, [organizationId, userId]);
    if (!row) throw new MemberNotFound();
    return row;
  }

  private async mustNotBeLastOwner(transaction: Transaction, organizationId: string): Promise<void> {
    const owners = await transaction.query(
      `SELECT FROM identity.membership WHERE organization_id = $1 AND role = 'owner' LIMIT 2`,
      [organizationId],
    );
    if (owners.length < 2) throw new OrganizationNeedsAnOwner();
  }

  private record(
    transaction: Transaction,
    action: AuditAction,
    { actor }: Administrator,
    organizationId: string,
    userId: string,
    details: Record<string, unknown>,
  ): Promise<void> {
    const target = { type: 'user', id: userId };
    return this.audit.record(transaction, { action, actor, organizationId, target, details });
  }
}
