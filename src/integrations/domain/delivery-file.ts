import type { MediaKind } from '#libs/content';

/** The code of the failure, and the reason of the hold, when a file cannot be read at the moment. */
export const MEDIA_UNREADABLE = 'media_unreadable';

/** A file of a post as the network gets it: a rendition that fits the network. */
export interface DeliveryFile {
  readonly mediaId: string;
  /** Identifies the bytes: other bytes of the same file have another revision. */
  readonly revision: string;
  readonly kind: MediaKind;
  readonly contentType: string;
  /** Length. */
  readonly bytes: number;
  /** Pixels, as shown. */
  readonly width: number | null;
  readonly height: number | null;
  /** Of animations and videos. */
  readonly durationMs: number | null;
  readonly altText: string | null;
  /**
   * Reads the bytes from `start` up to, not including, `end`. The file is the same for every call.
   * @throws MediaIsMissing, also while it is read. After any other error the read can be repeated.
   */
  open(start: number, end: number): Promise<AsyncIterable<Uint8Array>>;
  /** A public address for networks that fetch files: valid for a day, answers without redirects. */
  address(): string;
}
