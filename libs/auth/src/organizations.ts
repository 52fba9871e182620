import { DomainError } from '#libs/errors';
import { concerns } from '#libs/http';
import { ScopeIsMissing } from './auth.errors.js';
import type { Caller, Scope } from './caller.js';

/** No such organization, or one that the caller does not belong to: the two answer alike. */
export class OrganizationNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'organization_not_found';

  constructor() {
    super('There is no such organization.');
  }
}

/** A caller with several organizations has to say which one is meant. */
export class OrganizationIsMissing extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'organization_missing';

  constructor() {
    super('You belong to several organizations; say which one is meant.', {
      errors: [{ pointer: '#/organizationId', code: 'required', detail: 'is required' }],
    });
  }
}

/**
 * The one organization to write to: the one asked for, or the only one that grants the scope.
 * @throws OrganizationNotFound, OrganizationIsMissing, ScopeIsMissing
 */
export function organizationFor(caller: Caller, scope: Scope, asked?: string): string {
  const organizationId = asked === undefined ? onlyOne(granting(caller, scope)) : asked.toLowerCase();
  caller.must(scope, { organizationId }, () => new OrganizationNotFound());
  concerns(organizationId);
  return organizationId;
}

function onlyOne([organizationId, ...others]: readonly string[]): string {
  if (organizationId === undefined || others.length > 0) throw new OrganizationIsMissing();
  return organizationId;
}

/**
 * The organizations a list reads: all that grant the scope, or of these the one asked for; [] when that is none of
 * them, because filters of lists are never refused.
 * @throws ScopeIsMissing when none grants it.
 */
export function organizationsFor(caller: Caller, scope: Scope, asked?: string): string[] {
  const organizationIds = granting(caller, scope);
  return asked === undefined ? organizationIds : organizationIds.filter((id) => id === asked.toLowerCase());
}

/** A caller bound to brands has no part in what belongs to the organization itself. @throws ScopeIsMissing */
function granting(caller: Caller, scope: Scope): string[] {
  const ids = caller.organizations.map(({ id }) => id);
  const granted = ids.filter((organizationId) => caller.may(scope, { organizationId }) === 'yes');
  if (granted.length === 0) throw new ScopeIsMissing([scope]);
  return granted;
}
