import { domainError } from '#libs/errors';

/** Forged, altered, expired, or its object was deleted: the answer is the same. */
export class MediaAddressIsNotValid extends domainError(
  'not-found',
  'media_not_found',
  'The address is wrong or has expired, or its file was deleted. Read the file for a new address.',
) {}

export class MediaHostIsBusy extends domainError('unavailable', 'media_host_busy', {
  detail: 'Too many files are being sent just now. Try again in a moment.',
  retryAfterSeconds: 2,
}) {}
