import { DomainError } from '#libs/errors';

/** The contact does not exist, is deleted, or belongs to another organization: the answer is the same. */
export class ContactNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'contact_not_found';

  constructor() {
    super('The contact does not exist, or you have no access to it. Check its id.');
  }
}

/** Other changes of the organization's contacts have waited for an import for long. */
export class ContactsAreBusy extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'contacts_busy';

  constructor() {
    super('An import is changing the contacts. Nothing was changed. Try again in a moment.', {
      retryAfterSeconds: 5,
    });
  }
}

export class ContactHasNoName extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'contact_needs_name_or_email';

  constructor() {
    super('A contact needs a name, an email address, a company or a phone number. Send one of them.', {
      errors: [
        { pointer: '#/name', code: 'required', detail: 'is required without email, company and phones' },
      ],
    });
  }
}

/** Only with `onDuplicate=reject`: several contacts may share an address. */
export class ContactIsADuplicate extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'duplicate_contact';

  constructor(readonly contactId: string) {
    super(
      'A contact with this email address exists. Change it, or create another one without onDuplicate=reject.',
      {
        errors: [{ pointer: '#/email', code: 'duplicate', detail: 'is the address of another contact' }],
        members: { contactId },
      },
    );
  }
}

/** Erasing cannot be undone, so it needs more than contacts.write. */
export class ErasingNeedsAnAdmin extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'erasing_needs_an_admin';

  constructor() {
    super('Only an owner or admin of the organization can erase contacts.');
  }
}
