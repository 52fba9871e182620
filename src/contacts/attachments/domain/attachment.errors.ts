import { DomainError } from '#libs/errors';

/** The attachment does not exist, or belongs to a deleted contact or another organization: the answer is the same. */
export class AttachmentNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'attachment_not_found';

  constructor() {
    super('The attachment does not exist, or you have no access to it. Check its id.');
  }
}

export class ContactHasTooManyAttachments extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'too_many_attachments';

  constructor(max: number) {
    super(`A contact has at most ${max} attachments. Delete one first.`, {
      errors: [{ pointer: '#/file', code: 'too_many', detail: `would be more than ${max} for this contact` }],
    });
  }
}
