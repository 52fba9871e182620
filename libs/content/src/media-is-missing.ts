/**
 * The bytes of a file no longer exist, or other bytes have taken their place: reading them again cannot succeed. Thrown
 * while the file is opened or read. After any other error a later read may succeed.
 */
export class MediaIsMissing extends Error {
  readonly code = 'media_missing';

  constructor(readonly mediaId: string) {
    super(`The bytes of file ${mediaId} no longer exist.`);
    this.name = 'MediaIsMissing';
  }
}
