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

/** No upload of the file is open: it was completed or has ended. */
export class UploadIsComplete extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'upload_is_complete';

  constructor() {
    super('The upload is complete. Read the file; delete it if it is not needed.');
  }
}

/** The store does not keep the upload any longer. */
export class UploadHasExpired extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'upload_expired';

  constructor() {
    super('The upload has expired. Begin a new one.');
  }
}

/** The store has no object, or parts are missing. */
export class UploadIsNotFinished extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'upload_not_finished';

  constructor(missingParts: readonly number[] = []) {
    const what = missingParts.length > 0 ? 'Parts of the file are' : 'The file is';
    super(`${what} not in the store yet. Finish the upload, then complete it again.`, {
      members: missingParts.length > 0 ? { missingParts: missingParts.slice(0, 100) } : {},
    });
  }
}

/** The object has another length or checksum than declared. It is removed. */
export class UploadDoesNotMatch extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'upload_does_not_match';

  constructor() {
    super('The uploaded file is not the declared one. It was removed. Begin a new upload.');
  }
}

/** The declared type is not among the accepted ones. */
export class MediaTypeIsNotSupported extends DomainError {
  readonly kind = 'unsupported';
  readonly code = 'media_type_not_supported';

  constructor(supported: readonly string[]) {
    super(`The library does not accept this type of file. Send one of ${supported.join(', ')}.`, {
      errors: [{ pointer: '#/contentType', code: 'not_supported', detail: 'is not an accepted type' }],
      members: { supported },
    });
  }
}

/** A single upload is verified by the checksum of the whole file. */
export class ChecksumIsMissing extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'checksum_missing';

  constructor(maxBytes: number) {
    super(`A file of at most ${maxBytes} bytes needs its SHA-256. Send sha256.`, {
      errors: [{ pointer: '#/sha256', code: 'required', detail: 'is required' }],
    });
  }
}

export class PartDoesNotExist extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'part_does_not_exist';

  constructor(partCount: number) {
    super(
      partCount === 0
        ? 'The file is uploaded by one request, not in parts.'
        : `The file has ${partCount} parts. Send numbers from 1 to ${partCount}.`,
      { members: { partCount } },
    );
  }
}

/** Unpublished posts need the file. */
export class MediaIsInUse extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'media_in_use';

  constructor(readonly postIds: readonly string[]) {
    super('Unpublished posts use this file. Remove it from them first.', { members: { postIds } });
  }
}

/** The file is no picture, or `posterOf` is no video that the brand has. */
export class PosterIsNotPossible extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'poster_not_possible';

  constructor() {
    super('A poster is a picture, and posterOf is a video of the same brand. Send the id of such a video.', {
      errors: [{ pointer: '#/posterOf', code: 'not_possible', detail: 'must be a video of the brand' }],
    });
  }
}

const WHY_NOT_USABLE: Readonly<Record<string, string>> = {
  media_not_readable: 'cannot be decoded',
  media_type_not_supported: 'has a type that the library does not accept',
  media_type_does_not_match: 'has another type than the model announced',
  media_has_too_many_pixels: 'has too many pixels',
  media_has_too_many_frames: 'has too many frames',
};

/** A model made a file that the library does not accept. */
export class GeneratedFileIsNotUsable extends DomainError {
  readonly kind = 'bad-gateway';

  /** @param code of the rejection, as of an uploaded file */
  constructor(readonly code: string) {
    super(
      `The generated file ${WHY_NOT_USABLE[code] ?? 'is not usable'}. It may have been billed, and was not stored. Ask again with a new Idempotency-Key, or name another model.`,
    );
  }
}
