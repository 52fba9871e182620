import { type Caller, type CallerOrganization, OrganizationNotFound } from '#libs/auth';
import { concerns } from '#libs/http';
import { CallerIsNotPerson, RoleIsInsufficient } from '../identity.errors.js';

/** @throws CallerIsNotPerson for API keys and service principals. */
export function mustBePerson(caller: Caller): void {
  if (caller.isAutomation) throw new CallerIsNotPerson();
}

/** @throws OrganizationNotFound unless the caller belongs to the organization, whether it exists or not. */
export function callerOrganization(caller: Caller, organizationId: string): CallerOrganization {
  const organization = caller.organizations.find(({ id }) => id === organizationId);
  if (!organization) throw new OrganizationNotFound();
  concerns(organizationId);
  return organization;
}

/**
 * Allows only people who are owner or admin. Keys and service principals never administer, whatever their scopes, so that a
 * leaked one cannot create others.
 */
export function mustAdminister(caller: Caller, organizationId: string): void {
  const { role } = callerOrganization(caller, organizationId);
  if (caller.type !== 'user' || caller.channel !== 'bearer')
    throw new RoleIsInsufficient('an owner or admin');
  if (role !== 'owner' && role !== 'admin') throw new RoleIsInsufficient('an owner or admin');
}
