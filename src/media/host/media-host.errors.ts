import { DomainError } from '#libs/errors';

/** Forged, altered, expired, or its object was deleted: the answer is the same. */
export class MediaAddressIsNotValid extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'media_not_found';

  constructor() {
    super('The address is wrong or has expired, or its file was deleted. Read the file for a new address.');
  }
}

export class MediaHostIsBusy extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'media_host_busy';

  constructor() {
    super('Too many files are being sent just now. Try again in a moment.', { retryAfterSeconds: 2 });
  }
}
