import type {
  PermissionPayload,
  Principal,
  RegisteredService,
  Registration,
  UserPayload,
  ValidatedCaller,
  ValidatedOrganization,
  VerifiedAttribution,
} from './identity.types.js';
import {
  flag,
  instant,
  list,
  nullable,
  object,
  oneOf,
  text,
  UnexpectedShape,
  uuid,
} from './response-shape.js';

/** Tolerated difference between the clocks of two machines. */
const CLOCK_SKEW_MS = 30_000;

/**
 * The response of `/validate`. Unknown members are dropped.
 * @param service the requested slug. A response about another service is rejected.
 * @param now a response whose `expiresAt` is earlier by more than the clock skew is rejected as stale.
 * @throws UnexpectedShape
 */
export function readValidatedCaller(body: unknown, service: string, now: Date): ValidatedCaller {
  const response = object(body, 'body');
  if (response.active !== true) throw new UnexpectedShape('active', 'true');
  const validFor = object(response.service, 'service');
  if (validFor.slug !== service) throw new UnexpectedShape('service.slug', service);
  return {
    expiresAt: nullable(response.expiresAt, 'expiresAt', (value, path) => unexpired(value, path, now)),
    principal: readPrincipal(response.principal),
    apiKeyId: response.apiKeyId === undefined ? undefined : uuid(response.apiKeyId, 'apiKeyId'),
    user: readUser(response.user),
    service: { id: uuid(validFor.id, 'service.id'), slug: service },
    organizations: list(response.organizations, 'organizations', readOrganization),
  };
}

/**
 * The response of `/validate/batch`: for each entry a function that returns its caller, null for refused credentials, or throws
 * when there is no result.
 * @throws UnexpectedShape unless there is one entry for each
 */
export function readValidationResults(
  body: unknown,
  services: readonly string[],
  now: Date,
): (() => ValidatedCaller | null)[] {
  const results = list(object(body, 'body').results, 'results', (result) => result);
  if (results.length !== services.length) throw new UnexpectedShape('results', `${services.length} entries`);
  return services.map((service, index) => () => {
    const { status, validation } = object(results[index], `results[${index}]`);
    if (status === 200) return readValidatedCaller(validation, service, now);
    if (status === 401) return null;
    throw new Error(`Identity responded ${String(status)} in a batch.`);
  });
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
    isAdministrative: flag(organization.isAdministrative, `${path}.isAdministrative`),
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

/** @param slug the requested one. A response about another service is rejected. @throws UnexpectedShape */
export function readRegistration(body: unknown, slug: string): Registration {
  const registration = object(body, 'body');
  if (registration.slug !== slug) throw new UnexpectedShape('slug', slug);
  return { id: uuid(registration.id, 'id'), slug };
}

/** @throws UnexpectedShape */
export function readAttribution(body: unknown): VerifiedAttribution {
  const verified = object(body, 'body');
  return {
    application: nullable(verified.application, 'application', (value, path) => {
      const { id, slug } = object(value, path);
      return { id: uuid(id, `${path}.id`), slug: text(slug, `${path}.slug`) };
    }),
    organizationExists: flag(verified.organizationExists, 'organizationExists'),
    isMember: flag(verified.isMember, 'isMember'),
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
