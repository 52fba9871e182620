import { domainError } from '#libs/errors';

export class ServiceIsNotAuthenticated extends domainError(
  'forbidden',
  'service_not_authenticated',
  'Only services can call this route. Send X-Service-Token with a token configured in the gateway.',
) {}

/** The holder of a shared token can name any application that has no token of its own. */
export class SharedTokenIsNotEnough extends domainError(
  'forbidden',
  'dedicated_token_required',
  'Payments, and applications whose use is restricted, need a token of the application. An operator adds it to GATEWAY_SERVICE_TOKENS.',
) {}

/** The identifier is missing, not registered, or that of an application other than the token's. */
export class ApplicationIsNotCallers extends domainError(
  'forbidden',
  'application_not_authorized',
  'X-Application-Id is not the registered identifier of the application of the token. Look it up at identity.',
) {}

export class OrganizationIsMissing extends domainError('invalid', 'organization_missing', {
  detail: 'Send X-Organization-Id with the UUID of the organization that the call is made for.',
  errors: [{ header: 'X-Organization-Id', code: 'not_a_uuid', detail: 'must be a UUID' }],
}) {}

export class UserIsNotUuid extends domainError('invalid', 'user_not_valid', {
  detail:
    'X-User-Id must be the UUID of the person that the call is made for. Leave it out without a person.',
  errors: [{ header: 'X-User-Id', code: 'not_a_uuid', detail: 'must be a UUID' }],
}) {}

/** The person does not exist, is disabled, or is not a member of the organization. */
export class DelegationIsRefused extends domainError(
  'forbidden',
  'delegation_refused',
  'The person of X-User-Id is not a member of the organization of X-Organization-Id.',
) {}

export class CapabilityIsNotAllowed extends domainError(
  'forbidden',
  'capability_not_allowed',
  (application: string, capability: string) =>
    `The application ${application} may not use ${capability}. GATEWAY_APPLICATION_CAPABILITIES lists what it may use; mail and settlement cannot get more.`,
) {}

export class PlatformRoleIsMissing extends domainError(
  'forbidden',
  'platform_role_missing',
  (roles: readonly string[]) =>
    `This needs the principal type ${roles.join(' or ')} and membership in the administrative organization.`,
) {}
