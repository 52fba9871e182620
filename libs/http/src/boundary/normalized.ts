/** Marks on one character, of the Stream-Safe Text Format: https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format. */
export const MAX_MARKS = 30;

/** With the halfwidth sound marks of Japanese, which become marks in the compatibility forms. */
const MARK = String.raw`[\p{M}\uff9e\uff9f]`;
/** Matched from the beginning of each run only, or a long text of runs just short enough would take long. */
const TOO_MANY_MARKS = new RegExp(`(?<!${MARK})${MARK}{${MAX_MARKS + 1},}`, 'gu');

/**
 * No language has more than `MAX_MARKS` combining marks in a row. Whoever normalises sorts every row of them, in time
 * that grows with the square of its length: half a million of them are minutes.
 */
export function isStreamSafe(text: string): boolean {
  return text.length <= MAX_MARKS || text.search(TOO_MANY_MARKS) < 0;
}

/** U+FFFD stands for every row of more than `MAX_MARKS` combining marks; everything else stays as it is. */
export function streamSafe(text: string): string {
  return text.length <= MAX_MARKS ? text : text.replace(TOO_MANY_MARKS, '\ufffd');
}

/** Made stream-safe and then brought into a normal form of Unicode, by default NFC. */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
  return streamSafe(text).normalize(form);
}
