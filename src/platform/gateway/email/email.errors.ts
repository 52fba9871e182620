import { domainError } from '#libs/errors';

/** Also for a message of another organization or application. */
export class MessageNotFound extends domainError(
  'not-found',
  'message_not_found',
  'The message does not exist. Check its id.',
) {}

export class SenderNotFound extends domainError(
  'not-found',
  'sender_not_found',
  'The sender identity does not exist. List them to find its id.',
) {}

export class DomainNotFound extends domainError(
  'not-found',
  'domain_not_found',
  'The sender domain does not exist. List them to find its id.',
) {}

export class TemplateNotFound extends domainError(
  'not-found',
  'template_not_found',
  'The template or its version does not exist. List the templates.',
) {}

export class SuppressionNotFound extends domainError(
  'not-found',
  'suppression_not_found',
  'The suppression does not exist. List them to find its id.',
) {}

/** The organization has no verified domain, and the platform has no default sender. */
export class NoSender extends domainError('unprocessable', 'no_sender', {
  detail:
    'There is no sender identity to send from. Add a domain and a sender, or ask an operator to set EMAIL_PLATFORM_SENDER.',
  isFinal: false,
}) {}

export class DomainIsNotVerified extends domainError(
  'unprocessable',
  'domain_not_verified',
  (name: string) => ({
    detail: `The domain ${name} is not verified, so nothing is sent from it. Verify it first.`,
    isFinal: false,
  }),
) {}

export class NoEmailCredential extends domainError('unprocessable', 'no_credential', (provider: string) => ({
  detail: `There is no credential for ${provider} to send with. Add one with POST /api/credentials.`,
  isFinal: false,
})) {}

export class DomainExists extends domainError(
  'conflict',
  'domain_exists',
  'The domain is in the list already. Verify it or delete it first.',
) {}

export class SenderExists extends domainError(
  'conflict',
  'sender_exists',
  'There is a sender with this address already. Use it or delete it first.',
) {}

/** Another organization has proved that the domain is its own. */
export class DomainBelongsToAnother extends domainError(
  'conflict',
  'domain_taken',
  'The domain is verified for another organization, which has to delete it first.',
) {}

export class NothingIsUncertain extends domainError(
  'conflict',
  'nothing_uncertain',
  'No recipient of the message is uncertain. Read the message.',
) {}

export class BodyIsDeleted extends domainError(
  'conflict',
  'body_deleted',
  'The text of the message is deleted, so it cannot be sent again. Send a new message.',
) {}

export class WebhookIsNotSigned extends domainError(
  'unauthenticated',
  'signature_not_valid',
  'The signature does not match, or its time is more than 5 minutes away. Check the signing secret.',
) {}
