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
