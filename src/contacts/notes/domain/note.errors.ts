import { DomainError } from '#libs/errors';

/** No such note, or one of another contact. */
export class NoteNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'note_not_found';

  constructor() {
    super('There is no such note.');
  }
}
