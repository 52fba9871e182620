import type { Actor } from './actor.js';
import { RoleIsInsufficient } from '../identity.errors.js';

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** The actor of a change and their role in the organization. */
export interface Administrator {
  readonly actor: Actor;
  readonly role: string;
}

/** Only owners can add, change, restrict and remove owners. @throws RoleIsInsufficient */
export function mustBeAllowedToChange(by: Administrator, role: Role): void {
  if (role === 'owner' && by.role !== 'owner') throw new RoleIsInsufficient('an owner');
}
