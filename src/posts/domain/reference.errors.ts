import { DomainError } from '#libs/errors';
import type { FieldError } from '#libs/errors';

/** The brand was transferred during the request, and the caller may write in both organizations. */
export class BrandHasMoved extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'brand_has_moved';

  constructor() {
    super('The brand was transferred to another organization during the request. Send the post again.');
  }
}

/** A connection, file or thread does not exist or is not visible to the caller: both get the same response. */
export class ReferenceIsNotFound extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'reference_not_found';

  /** @param pointers JSON pointers of the ids in the body */
  constructor(pointers: readonly string[]) {
    const error = (pointer: string): FieldError => ({
      pointer,
      code: 'not_found',
      detail: 'must exist in this brand and be visible to the caller',
    });
    super('The post refers to ids that do not exist in this brand. Correct or remove these ids.', {
      errors: pointers.map(error),
    });
  }
}

/** A file of the brand is still uploaded or inspected, was rejected, or was deleted meanwhile. */
export class MediaIsNotReady extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'media_not_usable';

  /** @param pointers JSON pointers of the ids in the body */
  constructor(pointers: readonly string[]) {
    super('Files of the post are not ready. Wait until their status is ready, or choose other files.', {
      errors: pointers.map((pointer) => ({
        pointer,
        code: 'not_ready',
        detail: 'must have the status ready',
      })),
    });
  }
}
