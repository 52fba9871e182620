import { DomainError, domainError } from '#libs/errors';

/** The file does not exist, or belongs to another organization: the answer is the same. */
export class MediaNotFound extends domainError(
  'not-found',
  'media_not_found',
  'The file does not exist, or you have no access to it. Check its id.',
) {}

export class MediaIsNotUsable extends domainError(
  'conflict',
  'media_not_usable',
  (mediaIds: readonly string[]) => ({
    detail:
      'Some files are not in the library of the brand, or are not ready. Wait until they are, or remove them.',
    members: { mediaIds },
  }),
) {}

export class UploadIsComplete extends domainError(
  'conflict',
  'upload_is_complete',
  'The upload is complete. Read the file; delete it if it is not needed.',
) {}

export class UploadHasExpired extends domainError(
  'conflict',
  'upload_expired',
  'The upload has expired. Begin a new one.',
) {}

export class UploadIsNotFinished extends domainError(
  'conflict',
  'upload_not_finished',
  (missingParts: readonly number[] = []) => {
    const what = missingParts.length > 0 ? 'Parts of the file are' : 'The file is';
    return {
      detail: `${what} not in the store yet. Finish the upload, then complete it again.`,
      members: missingParts.length > 0 ? { missingParts: missingParts.slice(0, 100) } : {},
    };
  },
) {}

export class UploadDoesNotMatch extends domainError(
  'conflict',
  'upload_does_not_match',
  'The uploaded file is not the declared one. It was removed. Begin a new upload.',
) {}

export class MediaTypeIsNotSupported extends domainError(
  'unsupported',
  'media_type_not_supported',
  (supported: readonly string[]) => ({
    detail: `The library does not accept this type of file. Send one of ${supported.join(', ')}.`,
    errors: [{ pointer: '#/contentType', code: 'not_supported', detail: 'is not an accepted type' }],
    members: { supported },
  }),
) {}

/** A single upload is verified by the checksum of the whole file. */
export class ChecksumIsMissing extends domainError('invalid', 'checksum_missing', (maxBytes: number) => ({
  detail: `A file of at most ${maxBytes} bytes needs its SHA-256. Send sha256.`,
  errors: [{ pointer: '#/sha256', code: 'required', detail: 'is required' }],
})) {}

export class PartDoesNotExist extends domainError('invalid', 'part_does_not_exist', (partCount: number) => ({
  detail:
    partCount === 0
      ? 'The file is uploaded by one request, not in parts.'
      : `The file has ${partCount} parts. Send numbers from 1 to ${partCount}.`,
  members: { partCount },
})) {}

export class MediaIsInUse extends domainError('conflict', 'media_in_use', (postIds: readonly string[]) => ({
  detail: 'Unpublished posts use this file. Remove it from them first.',
  members: { postIds },
})) {}

export class PosterIsNotPossible extends domainError('invalid', 'poster_not_possible', {
  detail: 'A poster is a picture, and posterOf is a video of the same brand. Send the id of such a video.',
  errors: [{ pointer: '#/posterOf', code: 'not_possible', detail: 'must be a video of the brand' }],
}) {}

const WHY_NOT_USABLE: Readonly<Record<string, string>> = {
  media_not_readable: 'cannot be decoded',
  media_type_not_supported: 'has a type that the library does not accept',
  media_type_does_not_match: 'has another type than the model announced',
  media_has_too_many_pixels: 'has too many pixels',
  media_has_too_many_frames: 'has too many frames',
};

export class GeneratedFileIsNotUsable extends DomainError {
  readonly kind = 'bad-gateway';

  constructor(readonly code: string) {
    super(
      `The generated file ${WHY_NOT_USABLE[code] ?? 'is not usable'}. It may have been billed, and was not stored. Ask again with a new Idempotency-Key, or name another model.`,
    );
  }
}
