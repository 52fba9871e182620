/**
 * Controls, and characters that are not shown or change the direction of the text around them: a source could hide text with them.
 * Tags (U+E0000 to U+E007F) and selectors of the supplement spell whole sentences invisibly.
 */
const HIDDEN =
  /(?![\t-\r\u200c\u200d\ufe00-\ufe0f])[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb\ufffe\uffff]/gu;
/** Words of some languages and emoji need joiners between their characters, and one selector after a character. */
const STRAY =
  /(?<![\p{L}\p{M}\p{Emoji}\ufe00-\ufe0f])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Emoji}])|(?<=^|[\s\u200c\u200d\ufe00-\ufe0f])[\ufe00-\ufe0f]/gu;
const LONE_SURROGATE = /\p{Cs}/gu;

/**
 * One line of text: white space joined, hidden characters removed, cut to `limit` UTF-16 units with an ellipsis. Empty for a text
 * without visible characters.
 */
export function oneLine(text: string, limit: number): string {
  // Of a longer text nothing beyond this can remain, as white space is cheap to send and long texts are not.
  const bounded = text.slice(0, limit * 20);
  const clean = bounded
    .replaceAll(HIDDEN, '')
    .replaceAll(STRAY, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(LONE_SURROGATE, '\ufffd')
    .trim();
  if (clean.length <= limit) return clean;
  return `${clean.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
