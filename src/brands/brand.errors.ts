import { DomainError } from '#libs/errors';

/** No such brand, or none the caller may know of: the two answer alike. */
export class BrandNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'brand_not_found';

  constructor() {
    super('There is no such brand.');
  }
}
