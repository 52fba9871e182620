/**
 * `retry-after-ms`, or `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), which is compared with the `Date` of the same
 * response: the clocks of two machines differ.
 * @param headers names in lower case
 * @returns milliseconds of any length; null: not stated, or not readable
 */
export function retryAfterIn(headers: Readonly<Record<string, string | undefined>>): number | null {
  const { 'retry-after-ms': milliseconds, 'retry-after': after = '', date = '' } = headers;
  const seconds = numberIn(after);
  return (
    [
      numberIn(milliseconds ?? ''),
      Number.isNaN(seconds) ? Date.parse(after) - Date.parse(date) : seconds * 1_000,
    ]
      .map((wait) => (wait >= 0 && wait < Infinity ? Math.ceil(wait) : null))
      .find((wait) => wait !== null) ?? null
  );
}

/** An empty text is no number. */
const numberIn = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));
