import { domainError } from '#libs/errors';
import { actsOn, concerns } from '#libs/http';
import { ScopeIsMissing } from './auth.errors.js';
import type { Caller, Scope } from './caller.js';

/** The organization does not exist, or the caller does not belong to it: both give the same response. */
export class OrganizationNotFound extends domainError(
  'not-found',
  'organization_not_found',
  'The organization does not exist, or you have no access to it. Check its id.',
) {}

/** A caller with several organizations must name one. */
export class OrganizationIsMissing extends domainError('invalid', 'organization_missing', {
  detail: 'You belong to several organizations. Send the id of one of them.',
  errors: [{ pointer: '#/organizationId', code: 'required', detail: 'is required' }],
}) {}

/**
 * The organization to write to: `asked`, or the only one that grants the scope.
 * @throws OrganizationNotFound, OrganizationIsMissing, ScopeIsMissing
 */
export function organizationFor(caller: Caller, scope: Scope, asked?: string): string {
  const organizationId =
    asked === undefined ? theOnlyOne(organizationsGranting(caller, scope)) : asked.toLowerCase();
  caller.must(scope, { organizationId }, () => new OrganizationNotFound());
  concerns(organizationId);
  return organizationId;
}

function theOnlyOne([organizationId, ...others]: readonly string[]): string {
  if (organizationId === undefined || others.length > 0) throw new OrganizationIsMissing();
  return organizationId;
}

/**
 * The organizations that a list reads: all that grant the scope, or `asked` if it is one of them. Otherwise [], because list
 * filters are never refused.
 * @throws ScopeIsMissing when none grants it.
 */
export function organizationsFor(caller: Caller, scope: Scope, asked?: string): string[] {
  const organizationIds = organizationsGranting(caller, scope);
  if (asked === undefined) return organizationIds;
  const named = organizationIds.filter((id) => id === asked.toLowerCase());
  named.forEach(actsOn);
  return named;
}

/** Excludes callers bound to brands, who have no access to data of the organization itself. @throws ScopeIsMissing */
function organizationsGranting(caller: Caller, scope: Scope): string[] {
  const ids = caller.organizations.map(({ id }) => id);
  const granted = ids.filter((organizationId) => caller.may(scope, { organizationId }) === 'yes');
  if (granted.length === 0) throw new ScopeIsMissing([scope]);
  return granted;
}
