import { Injectable } from '@nestjs/common';
import { OrganizationNotFound } from '#libs/auth';
import { Database, type Transaction } from '#libs/database';
import { RoleIsInsufficient } from '../identity.errors.js';
import type { Actor } from './actor.js';

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** The actor of a change and their role in the organization. */
export interface Administrator {
  readonly actor: Actor;
  readonly role: string;
}

/** Only owners can add, change, restrict and remove owners. */
export function mustBeAllowedToChange(by: Administrator, role: Role): void {
  if (role === 'owner' && by.role !== 'owner') throw new RoleIsInsufficient('an owner');
}

type Work<T> = (transaction: Transaction, by: Administrator) => Promise<T>;

/**
 * Serializes changes of one organization by a lock on its row. It reads the role of the actor after locking, so that a role
 * that was revoked during the wait has no effect.
 */
@Injectable()
export class Administration {
  constructor(private readonly database: Database) {}

  /** @throws OrganizationNotFound when the actor is not a member, RoleIsInsufficient when not owner or admin. */
  asAdministrator<T>(organizationId: string, actor: Actor, work: Work<T>): Promise<T> {
    return this.asMember(organizationId, actor, (transaction, by) => {
      if (by.role !== 'owner' && by.role !== 'admin') throw new RoleIsInsufficient('an owner or admin');
      return work(transaction, by);
    });
  }

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

/** Every change of an organization holds this lock until its transaction ends. No effect for an unknown id. */
export async function lockOrganization(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.query('SELECT FROM identity.organization WHERE id = $1 FOR NO KEY UPDATE', [
    organizationId,
  ]);
}
