import { domainError, type FieldError } from '#libs/errors';

/**
 * The file is still uploaded or inspected, or was rejected.
 * @param rejection what is wrong, then what to do; null: the file is still uploaded or inspected
 */
export class FileIsNotReady extends domainError('conflict', 'media_not_usable', (rejection: string | null) =>
  rejection === null
    ? 'The file is not ready. Wait until its status is ready.'
    : `The file was rejected. ${rejection}`,
) {}

/** Nothing that the network takes can be made of the file. @param reason what is wrong, then what to do */
export class RenditionIsNotPossible extends domainError(
  'conflict',
  'rendition_not_possible',
  (reason: string) => reason,
) {}

/** The brand was transferred during the request, and the caller may write in both organizations. */
export class BrandHasMoved extends domainError(
  'conflict',
  'brand_has_moved',
  'The brand was transferred to another organization during the request. Send the post again.',
) {}

/**
 * A connection, file or thread does not exist or is not visible to the caller: both get the same response.
 * @param pointers JSON pointers of the ids in the body
 */
export class ReferenceIsNotFound extends domainError(
  'invalid',
  'reference_not_found',
  (pointers: readonly string[]) => {
    const error = (pointer: string): FieldError => ({
      pointer,
      code: 'not_found',
      detail: 'must exist in this brand and be visible to the caller',
    });
    return {
      detail: 'The post refers to ids that do not exist in this brand. Correct or remove these ids.',
      errors: pointers.map(error),
    };
  },
) {}

export interface UnusableFile {
  /** JSON pointer of its id in the body. */
  readonly pointer: string;
  /** What is wrong, then what to do; null: the file is still uploaded or inspected. */
  readonly rejection: string | null;
}

/** A file of the brand is still uploaded or inspected, was rejected, or was deleted meanwhile. */
export class MediaIsNotReady extends domainError(
  'conflict',
  'media_not_usable',
  (files: readonly UnusableFile[]) => {
    const isWaiting = files.some(({ rejection }) => rejection === null);
    return {
      detail: isWaiting
        ? 'Files of the post are not ready. Wait until their status is ready, or choose other files.'
        : 'Files of the post were rejected. Choose other files.',
      errors: files.map(({ pointer, rejection }) =>
        rejection === null
          ? { pointer, code: 'not_ready', detail: 'must have the status ready' }
          : { pointer, code: 'rejected', detail: `was rejected. ${rejection}` },
      ),
    };
  },
) {}
