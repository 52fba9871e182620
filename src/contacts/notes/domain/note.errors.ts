import { DomainError } from '#libs/errors';

/** The note does not exist, or belongs to another contact. */
export class NoteNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'note_not_found';

  constructor() {
    super('The note does not exist, or you have no access to it. Check its id.');
  }
}
