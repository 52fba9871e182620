/** A point in time as text: RFC 3339, UTC, always with milliseconds, so that instants compare as strings. */
export type Instant = string;
