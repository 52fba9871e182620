import { DomainError } from '#libs/errors';
import type { FieldError } from '#libs/errors';

/** The caller may write in both organizations, but the request was decided for the former one. */
export class BrandHasMoved extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'brand_has_moved';

  constructor() {
    super('The brand was transferred to another organization at this moment. Send the post again.');
  }
}

/** The content names a connection, file or thread that is not there, or not for this caller: the two are answered alike. */
export class ReferenceIsNotFound extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'reference_not_found';

  /** @param pointers JSON pointers of the ids in the body */
  constructor(pointers: readonly string[]) {
    const error = (pointer: string): FieldError => ({
      pointer,
      code: 'not_found',
      detail: 'must name something of this brand that you may see',
    });
    super('The post names something that does not exist here. Correct or remove these ids.', {
      errors: pointers.map(error),
    });
  }
}
