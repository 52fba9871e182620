import { domainError } from '#libs/errors';

/** The attachment does not exist, or belongs to a deleted contact or another organization: the answer is the same. */
export class AttachmentNotFound extends domainError(
  'not-found',
  'attachment_not_found',
  'The attachment does not exist, or you have no access to it. Check its id.',
) {}

export class ContactHasTooManyAttachments extends domainError(
  'invalid',
  'too_many_attachments',
  (max: number) => ({
    detail: `A contact has at most ${max} attachments. Delete one first.`,
    errors: [{ pointer: '#/file', code: 'too_many', detail: `would be more than ${max} for this contact` }],
  }),
) {}

/** The note does not exist, or belongs to another contact. */
export class NoteNotFound extends domainError(
  'not-found',
  'note_not_found',
  'The note does not exist, or you have no access to it. Check its id.',
) {}

/** The contact does not exist, is deleted, or belongs to another organization: the answer is the same. */
export class ContactNotFound extends domainError(
  'not-found',
  'contact_not_found',
  'The contact does not exist, or you have no access to it. Check its id.',
) {}

/** Other changes of the organization's contacts have waited for an import for long. */
export class ContactsAreBusy extends domainError('unavailable', 'contacts_busy', {
  detail: 'An import is changing the contacts. Nothing was changed. Try again in a moment.',
  retryAfterSeconds: 5,
}) {}

export class ContactHasNoName extends domainError('invalid', 'contact_needs_name_or_email', {
  detail: 'A contact needs a name, an email address, a company or a phone number. Send one of them.',
  errors: [{ pointer: '#/name', code: 'required', detail: 'is required without email, company and phones' }],
}) {}

/** Only with `onDuplicate=reject`: several contacts may share an address. */
export class ContactIsADuplicate extends domainError('invalid', 'duplicate_contact', (contactId: string) => ({
  detail:
    'A contact with this email address exists. Change it, or create another one without onDuplicate=reject.',
  errors: [{ pointer: '#/email', code: 'duplicate', detail: 'is the address of another contact' }],
  members: { contactId },
})) {}

/** Erasing cannot be undone, so it needs more than contacts.write. */
export class ErasingNeedsAnAdmin extends domainError(
  'forbidden',
  'erasing_needs_an_admin',
  'Only an owner or admin of the organization can erase contacts.',
) {}
