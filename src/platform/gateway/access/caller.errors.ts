import { DomainError } from '#libs/errors';

export class ServiceIsNotAuthenticated extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'service_not_authenticated';

  constructor() {
    super('Only services can call this route. Send X-Service-Token with a token configured in the gateway.');
  }
}

/** The holder of a shared token can name any application that has no token of its own. */
export class SharedTokenIsNotEnough extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'dedicated_token_required';

  constructor() {
    super(
      'Payments, and applications whose use is restricted, need a token of the application. An operator adds it to GATEWAY_SERVICE_TOKENS.',
    );
  }
}

/** The identifier is missing, not registered, or that of an application other than the token's. */
export class ApplicationIsNotCallers extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'application_not_authorized';

  constructor() {
    super(
      'X-Application-Id is not the registered identifier of the application of the token. Look it up at identity.',
    );
  }
}

export class OrganizationIsMissing extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'organization_missing';

  constructor() {
    super('Send X-Organization-Id with the UUID of the organization that the call is made for.', {
      errors: [{ header: 'X-Organization-Id', code: 'not_a_uuid', detail: 'must be a UUID' }],
    });
  }
}

export class UserIsNotUuid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'user_not_valid';

  constructor() {
    super(
      'X-User-Id must be the UUID of the person that the call is made for. Leave it out without a person.',
      {
        errors: [{ header: 'X-User-Id', code: 'not_a_uuid', detail: 'must be a UUID' }],
      },
    );
  }
}

/** The person does not exist, is disabled, or is not a member of the organization. */
export class DelegationIsRefused extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'delegation_refused';

  constructor() {
    super('The person of X-User-Id is not a member of the organization of X-Organization-Id.');
  }
}

export class CapabilityIsNotAllowed extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'capability_not_allowed';

  constructor(application: string, capability: string) {
    super(
      `The application ${application} may not use ${capability}. GATEWAY_APPLICATION_CAPABILITIES lists what it may use; mail and settlement cannot get more.`,
    );
  }
}

export class PlatformRoleIsMissing extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'platform_role_missing';

  constructor(roles: readonly string[]) {
    super(
      `This needs the principal type ${roles.join(' or ')} and membership in the administrative organization.`,
    );
  }
}
