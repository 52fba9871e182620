/** Controls and characters that change the direction of the text around them, which a source could hide text with. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu;
const LONE_SURROGATE = /\p{Cs}/gu;

/**
 * One line of text: white space joined, controls removed, cut to `limit` UTF-16 units with an ellipsis. Empty for a text without
 * visible characters.
 */
export function oneLine(text: string, limit: number): string {
  // Of a longer text nothing beyond this can remain, as white space is cheap to send and long texts are not.
  const bounded = text.slice(0, limit * 20);
  const clean = bounded
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(HIDDEN, '')
    .replaceAll(LONE_SURROGATE, '\ufffd')
    .trim();
  if (clean.length <= limit) return clean;
  return `${clean.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
