/** What is known of a file that a post shows. null: not known. */
export interface MediaFacts {
  readonly id: string;
  /** Media type, such as `image/jpeg`. */
  readonly contentType: string | null;
  readonly bytes: number | null;
  /** Pixels, as shown. */
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
}
