export class AttachmentsConfig {
  maxBytes = 10_485_760;

  /** Maximum pause of an upload before it is aborted. */
  stallMs = 15_000;
}
