import type { AiMark } from './ai-mark.js';
import type { MediaKind } from './media-facts.js';

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
  /** Of the file in the library; the bytes carry the same mark. null: not known. */
  readonly aiMark: AiMark | null;
  /** Of the file in the library now. */
  readonly altText: string | null;
  /**
   * Reads the bytes start ≤ i < end. The bytes are the same for every call. End the iteration to free the connection.
   * @throws MediaIsMissing, also while it is read. After any other error the read can be repeated.
   */
  open(start: number, end: number): Promise<AsyncIterable<Uint8Array>>;
  /** A public address for networks that fetch files: valid for a day, answers without redirects. */
  address(): string;
}
