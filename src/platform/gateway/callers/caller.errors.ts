import { DomainError } from '#libs/errors';

export class ServiceIsNotAuthenticated extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'service_not_authenticated';

  constructor() {
    super('Only services can call this route. Send X-Service-Token with a token configured in the gateway.');
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
