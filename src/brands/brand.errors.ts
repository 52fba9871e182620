import { DomainError } from '#libs/errors';

/** No such brand, or none the caller may know of: the two answer alike. */
export class BrandNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'brand_not_found';

  constructor() {
    super('There is no such brand.');
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

/** A caller with several organizations has to say which one the brand is for. */
export class OrganizationIsMissing extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'organization_missing';

  constructor() {
    super('You belong to several organizations; say which one the brand is for.', {
      errors: [{ pointer: '#/organizationId', code: 'required', detail: 'is required' }],
    });
  }
}
