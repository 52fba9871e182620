import { DomainError } from '#libs/errors';

/** No such contact, a deleted one, or one the caller may not know of: all answer alike. */
export class ContactNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'contact_not_found';

  constructor() {
    super('There is no such contact.');
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

/** Only for who asked with `onDuplicate=reject`: shared addresses are no mistake in themselves. */
export class ContactIsADuplicate extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'duplicate_contact';

  constructor(readonly contactId: string) {
    super('There is a contact with this email address already.', {
      errors: [{ pointer: '#/email', code: 'duplicate', detail: 'is the address of another contact' }],
      members: { contactId },
    });
  }
}

/** Erasing cannot be undone, so it is not for everybody who may write. */
export class ErasingNeedsAnAdmin extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'erasing_needs_an_admin';

  constructor() {
    super('Only an owner or an admin of the organization erases contacts for good.');
  }
}
