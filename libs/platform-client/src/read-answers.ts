import type {
  PermissionPayload,
  Principal,
  RegisteredService,
  UserPayload,
  ValidatedCaller,
  ValidatedOrganization,
} from './identity.types.js';
import { flag, instant, list, nullable, object, oneOf, text, UnexpectedShape, uuid } from './shape.js';

/** How far the clocks of two machines may be apart. */
const CLOCK_SKEW_MS = 30_000;

/**
 * The answer of `/validate`. Members nobody agreed on are left behind.
 * @param service the slug that was asked for: an answer about another service is no answer.
 * @param now an answer whose `expiresAt` lies before it, by more than the clock skew, is stale and no answer.
 * @throws UnexpectedShape
 */
export function readValidatedCaller(body: unknown, service: string, now: Date): ValidatedCaller {
  const answer = object(body, 'body');
  if (answer.active !== true) throw new UnexpectedShape('active', 'true');
  const about = object(answer.service, 'service');
  if (about.slug !== service) throw new UnexpectedShape('service.slug', service);
  return {
    expiresAt: nullable(answer.expiresAt, 'expiresAt', (value, path) => unexpired(value, path, now)),
    principal: readPrincipal(answer.principal),
    user: readUser(answer.user),
    service: { id: uuid(about.id, 'service.id'), slug: service },
    organizations: list(answer.organizations, 'organizations', readOrganization),
  };
}

function unexpired(value: unknown, path: string, now: Date): string {
  const at = instant(value, path);
  if (Date.parse(at) < now.getTime() - CLOCK_SKEW_MS) throw new UnexpectedShape(path, 'a future instant');
  return at;
}

function readPrincipal(value: unknown): Principal {
  const principal = object(value, 'principal');
  return {
    id: uuid(principal.id, 'principal.id'),
    type: oneOf(principal.type, 'principal.type', ['user', 'service', 'api_key']),
    name: text(principal.name, 'principal.name'),
    email: nullable(principal.email, 'principal.email', text),
  };
}

function readUser(value: unknown): UserPayload {
  const user = object(value, 'user');
  return {
    id: uuid(user.id, 'user.id'),
    name: text(user.name, 'user.name'),
    email: nullable(user.email, 'user.email', text),
    principalType: text(user.principalType, 'user.principalType'),
    principalServices: list(user.principalServices, 'user.principalServices', text),
    launcherEligible: flag(user.launcherEligible, 'user.launcherEligible'),
    selectedHouseholdId: nullable(user.selectedHouseholdId, 'user.selectedHouseholdId', uuid),
    selectedHousehold: nullable(user.selectedHousehold, 'user.selectedHousehold', object),
  };
}

function readOrganization(value: unknown, path: string): ValidatedOrganization {
  const organization = object(value, path);
  return {
    id: uuid(organization.id, `${path}.id`),
    name: text(organization.name, `${path}.name`),
    role: text(organization.role, `${path}.role`),
    scopes: list(organization.scopes, `${path}.scopes`, text),
    brandIds: nullable(organization.brandIds, `${path}.brandIds`, (ids, at) => list(ids, at, uuid)),
  };
}

/** An entry of the service registry. @throws UnexpectedShape */
export function readService(body: unknown): RegisteredService {
  const service = object(body, 'body');
  return {
    id: uuid(service.id, 'id'),
    slug: text(service.slug, 'slug'),
    name: text(service.name, 'name'),
    surface_kind: text(service.surface_kind, 'surface_kind'),
    surface_group: text(service.surface_group, 'surface_group'),
    launchable: flag(service.launchable, 'launchable'),
    household_capable: flag(service.household_capable, 'household_capable'),
    supportedContexts: list(service.supportedContexts, 'supportedContexts', text),
  };
}

/** The permission payload. @throws UnexpectedShape */
export function readPermissions(body: unknown): PermissionPayload {
  const payload = object(body, 'body');
  return {
    userId: uuid(payload.userId, 'userId'),
    effectivePermissions: list(payload.effectivePermissions, 'effectivePermissions', text),
  };
}
