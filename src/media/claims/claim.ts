/** Workers also end for other reasons, such as a release. */
export const MAX_TAKEOVERS = 5;

/** How a claim ends without an outcome. */
export interface Release {
  /** Milliseconds until the row is due again. */
  readonly dueInMs: number;
  /** Added to those of the row. */
  readonly failures: number;
  readonly errors: number;
}
