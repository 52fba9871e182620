import { DomainError } from '#libs/errors';

/** The file does not exist, or belongs to another organization: the answer is the same. */
export class MediaNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'media_not_found';

  constructor() {
    super('The file does not exist, or you have no access to it. Check its id.');
  }
}

/** A post refers to files that are not in the library of its brand, or are not ready. */
export class MediaIsNotUsable extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'media_not_usable';

  constructor(readonly mediaIds: readonly string[]) {
    super(
      'Some files are not in the library of the brand, or are not ready. Wait until they are, or remove them.',
      {
        members: { mediaIds },
      },
    );
  }
}
