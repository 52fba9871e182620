import { DomainError } from '#libs/errors';

/** The credential does not exist, or the caller may not know of it: both give the same response. */
export class CredentialNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'credential_not_found';

  constructor() {
    super('The credential does not exist, or you have no access to it. Check its id.');
  }
}

export class TooManyCredentials extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'too_many_credentials';
  override readonly isFinal = false;

  constructor(limit: number) {
    super(`There are ${limit} credentials for the provider already. Delete one of them first.`);
  }
}

/** Only with a credential of their account can they be read or changed, and their events verified. */
export class CredentialHasPayments extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'credential_has_payments';

  constructor() {
    super(
      'Customers, subscriptions or other payment objects were created with this credential. Rotate it to another key of the same account, or disable it.',
    );
  }
}

/** A check is about the former secret. */
export class SecretHasChanged extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'secret_changed';

  constructor() {
    super('The secret of the credential was replaced during the check. Check again.');
  }
}
