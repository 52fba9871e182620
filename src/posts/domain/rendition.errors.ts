import { domainError } from '#libs/errors';

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
