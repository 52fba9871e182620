import type { Caller, CallerOrganization } from '#libs/auth';
import { OrganizationNotFound } from '#libs/auth';
import { concerns } from '#libs/http';
import { RoleIsInsufficient } from '../identity.errors.js';

/** The caller's organization of this id. @throws OrganizationNotFound for every other one, whether it exists or not. */
export function callerOrganization(caller: Caller, organizationId: string): CallerOrganization {
  const organization = caller.organizations.find(({ id }) => id === organizationId);
  if (!organization) throw new OrganizationNotFound();
  concerns(organizationId);
  return organization;
}

/**
 * Goes on only for people who are owner or admin of it: no key and no service principal administers anything,
 * whatever its scopes, so that a leaked one cannot make others.
 * @throws OrganizationNotFound, RoleIsInsufficient
 */
export function mustAdminister(caller: Caller, organizationId: string): void {
  const { role } = callerOrganization(caller, organizationId);
  if (caller.type !== 'user' || caller.channel !== 'bearer')
    throw new RoleIsInsufficient('an owner or admin');
  if (role !== 'owner' && role !== 'admin') throw new RoleIsInsufficient('an owner or admin');
}
