import type { Trend } from './trend.js';

/**
 * The text of a suggestion: the title, shortened until the text fits, and the source. The link of the trend is the link of the post.
 * @param fits whether the network takes a text of this length; true for every shorter one
 * @returns null when even one character of the title is too much
 */
export function suggestionText(
  { title, kind, sourceName }: Trend,
  fits: (text: string) => boolean,
): string | null {
  const source = `\n\nSource: ${kind === 'model' ? `AI model ${sourceName}` : sourceName}`;
  if (fits(title + source)) return title + source;
  const characters = [...title];
  const shortened = (length: number) => `${characters.slice(0, length).join('').trimEnd()}…${source}`;
  let [longest, tooLong] = [0, characters.length];
  while (tooLong - longest > 1) {
    const middle = Math.floor((longest + tooLong) / 2);
    if (fits(shortened(middle))) longest = middle;
    else tooLong = middle;
  }
  return longest === 0 ? null : shortened(longest);
}
