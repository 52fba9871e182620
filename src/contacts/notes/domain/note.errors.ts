import { domainError } from '#libs/errors';

/** The note does not exist, or belongs to another contact. */
export class NoteNotFound extends domainError(
  'not-found',
  'note_not_found',
  'The note does not exist, or you have no access to it. Check its id.',
) {}
