import type { Request } from 'express';
import { type Caller, organizationFor, organizationsFor, type Scope } from '#libs/auth';
import { isUuid } from '#libs/http';
import { OrganizationIsMissing } from './caller.errors.js';

/** In lower case; null for anything else than a UUID. */
export function uuidIn(request: Request, header: string): string | null {
  const value = request.header(header)?.trim() ?? '';
  return isUuid(value) ? value.toLowerCase() : null;
}

/** The organization of X-Organization-Id; undefined without the header. @throws OrganizationIsMissing */
export function organizationNamedIn(request: Request): string | undefined {
  if (request.header('x-organization-id') === undefined) return undefined;
  const named = uuidIn(request, 'x-organization-id');
  if (named === null) throw new OrganizationIsMissing();
  return named;
}

/**
 * The organization of X-Organization-Id, or the only one that grants the scope.
 * @throws OrganizationIsMissing, OrganizationNotFound, ScopeIsMissing
 */
export function organizationOfRequest(request: Request, caller: Caller, scope: Scope): string {
  const named = organizationNamedIn(request);
  if (named !== undefined) return organizationFor(caller, scope, named);
  const [only, ...others] = organizationsFor(caller, scope);
  if (others.length > 0) throw new OrganizationIsMissing();
  return organizationFor(caller, scope, only);
}
