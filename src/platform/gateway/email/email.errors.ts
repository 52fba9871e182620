import { DomainError } from '#libs/errors';

/** Also for a message of another organization or application. */
export class MessageNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'message_not_found';

  constructor() {
    super('The message does not exist. Check its id.');
  }
}

export class SenderNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'sender_not_found';

  constructor() {
    super('The sender identity does not exist. List them to find its id.');
  }
}

export class DomainNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'domain_not_found';

  constructor() {
    super('The sender domain does not exist. List them to find its id.');
  }
}

export class TemplateNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'template_not_found';

  constructor() {
    super('The template or its version does not exist. List the templates.');
  }
}

export class SuppressionNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'suppression_not_found';

  constructor() {
    super('The suppression does not exist. List them to find its id.');
  }
}

/** The organization has no verified domain, and the platform has no default sender. */
export class NoSender extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'no_sender';
  override readonly isFinal = false;

  constructor() {
    super(
      'There is no sender identity to send from. Add a domain and a sender, or ask an operator to set EMAIL_PLATFORM_SENDER.',
    );
  }
}

export class DomainIsNotVerified extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'domain_not_verified';
  override readonly isFinal = false;

  constructor(name: string) {
    super(`The domain ${name} is not verified, so nothing is sent from it. Verify it first.`);
  }
}

export class NoEmailCredential extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'no_credential';
  override readonly isFinal = false;

  constructor(provider: string) {
    super(`There is no credential for ${provider} to send with. Add one with POST /api/credentials.`);
  }
}

export class DomainExists extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'domain_exists';

  constructor() {
    super('The domain is in the list already. Verify it or delete it first.');
  }
}

export class SenderExists extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'sender_exists';

  constructor() {
    super('There is a sender with this address already. Use it or delete it first.');
  }
}

/** Another organization has proved that the domain is its own. */
export class DomainBelongsToAnother extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'domain_taken';

  constructor() {
    super('The domain is verified for another organization, which has to delete it first.');
  }
}

export class NothingIsUncertain extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'nothing_uncertain';

  constructor() {
    super('No recipient of the message is uncertain. Read the message.');
  }
}

export class BodyIsDeleted extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'body_deleted';

  constructor() {
    super('The text of the message is deleted, so it cannot be sent again. Send a new message.');
  }
}

export class WebhookIsNotSigned extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'signature_not_valid';

  constructor() {
    super('The signature does not match, or its time is more than 5 minutes away. Check the signing secret.');
  }
}
