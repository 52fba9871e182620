/** Marks on one character, of the Stream-Safe Text Format: https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format. */
export const MAX_MARKS = 30;

/** Includes the halfwidth sound marks of Japanese, which become marks in the compatibility forms. */
const MARK = String.raw`[\p{M}\uff9e\uff9f]`;
/** Matches at the beginning of a run only, so that many runs below the limit take linear time. */
const TOO_MANY_MARKS = new RegExp(`(?<!${MARK})${MARK}{${MAX_MARKS + 1},}`, 'gu');

/**
 * No language has more than `MAX_MARKS` combining marks in a row. Normalisation sorts each row in quadratic time: half a
 * million marks take minutes.
 */
export function isStreamSafe(text: string): boolean {
  return text.length <= MAX_MARKS || text.search(TOO_MANY_MARKS) < 0;
}

/** Replaces every row of more than `MAX_MARKS` combining marks with U+FFFD. */
export function streamSafe(text: string): string {
  return text.length <= MAX_MARKS ? text : text.replace(TOO_MANY_MARKS, '\ufffd');
}

/** The text made stream-safe, then in a Unicode normal form, by default NFC. */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
  return streamSafe(text).normalize(form);
}
