import { DomainError } from '#libs/errors';

/** No such contact, a deleted one, or one the caller may not know of: all answer alike. */
export class ContactNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'contact_not_found';

  constructor() {
    super('There is no such contact.');
  }
}

/** No such organization, or one that identity does not say the caller belongs to. */
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

export class ContactHasNoName extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'contact_needs_name_or_email';

  constructor() {
    super('A contact needs a name or an email address.', {
      errors: [{ pointer: '#/name', code: 'required', detail: 'is required when there is no email' }],
    });
  }
}
