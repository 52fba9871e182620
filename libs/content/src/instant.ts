/** RFC 3339, UTC, milliseconds. */
export type Instant = string;
