import { DomainError } from '#libs/errors';

/** The file is still uploaded or inspected, or was rejected. */
export class FileIsNotReady extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'media_not_usable';

  /** @param rejection what is wrong, then what to do; null: the file is still uploaded or inspected */
  constructor(rejection: string | null) {
    super(
      rejection === null
        ? 'The file is not ready. Wait until its status is ready.'
        : `The file was rejected. ${rejection}`,
    );
  }
}

/** Nothing that the network takes can be made of the file. */
export class RenditionIsNotPossible extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'rendition_not_possible';

  /** @param reason what is wrong, then what to do */
  constructor(reason: string) {
    super(reason);
  }
}
