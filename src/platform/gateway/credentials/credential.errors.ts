import { domainError } from '#libs/errors';

/** The credential does not exist, or the caller may not know of it: both give the same response. */
export class CredentialNotFound extends domainError(
  'not-found',
  'credential_not_found',
  'The credential does not exist, or you have no access to it. Check its id.',
) {}

export class TooManyCredentials extends domainError('conflict', 'too_many_credentials', (limit: number) => ({
  detail: `There are ${limit} credentials for the provider already. Delete one of them first.`,
  isFinal: false,
})) {}

/** Only with a credential of their account can they be read or changed, and their events verified. */
export class CredentialHasPayments extends domainError(
  'conflict',
  'credential_has_payments',
  'Customers, subscriptions or other payment objects were created with this credential. Rotate it to another key of the same account, or disable it.',
) {}

/** A check is about the former secret. */
export class SecretHasChanged extends domainError(
  'conflict',
  'secret_changed',
  'The secret of the credential was replaced during the check. Check again.',
) {}
