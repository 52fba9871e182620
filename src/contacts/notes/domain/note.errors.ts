import { DomainError } from '#libs/errors';

/** The note does not exist, or belongs to another contact. */
export class NoteNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'note_not_found';

  constructor() {
    super('There is no such note.');
  }
}
