import { Injectable } from '@nestjs/common';
import { OrganizationNotFound } from '#libs/auth';
import type { Transaction } from '#libs/database';
import { Database } from '#libs/database';
import type { Actor } from '../audit/actor.js';
import { RoleIsInsufficient } from '../identity.errors.js';
import type { Administrator } from './administrator.js';

type Work<T> = (transaction: Transaction, by: Administrator) => Promise<T>;

/**
 * Changes of one organization happen one after the other: its row is locked first. What the actor may do is read after
 * that, so that nobody acts by a role that was taken while the request waited.
 */
@Injectable()
export class Administration {
  constructor(private readonly database: Database) {}

  /** @throws OrganizationNotFound for who is no member any more, RoleIsInsufficient for who administers it no more. */
  asAdministrator<T>(organizationId: string, actor: Actor, work: Work<T>): Promise<T> {
    return this.asMember(organizationId, actor, (transaction, by) => {
      if (by.role !== 'owner' && by.role !== 'admin') throw new RoleIsInsufficient('an owner or admin');
      return work(transaction, by);
    });
  }

  /** @throws OrganizationNotFound */
  asMember<T>(organizationId: string, actor: Actor, work: Work<T>): Promise<T> {
    return this.database.transaction(async (transaction) => {
      await lockOrganization(transaction, organizationId);
      const [member] = await transaction.query<{ role: string }>(
        'SELECT role FROM identity.membership WHERE organization_id = $1 AND user_id = $2',
        [organizationId, actor.id],
      );
      if (!member) throw new OrganizationNotFound();
      return work(transaction, { actor, role: member.role });
    });
  }
}

/** Every change of an organization holds this lock until its transaction ends. Nothing is locked where there is none. */
export async function lockOrganization(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.query('SELECT FROM identity.organization WHERE id = $1 FOR NO KEY UPDATE', [
    organizationId,
  ]);
}
