import type { DeliveryContent } from '../../domain/delivery-outcome.js';
import type { ContentToCheck } from '../../provider.js';

type Text = Pick<ContentToCheck | DeliveryContent, 'text' | 'title' | 'link'>;

/** NFC: YouTube counts characters. */
export const titleOf = ({ title }: Text): string => (title ?? '').trim().normalize('NFC');

/** The text, then the link: YouTube has no link cards. */
export function descriptionOf({ text, link }: Text): string {
  const words = text.trim().normalize('NFC');
  if (!link || words.includes(link)) return words;
  return words === '' ? link : `${words}\n\n${link}`;
}

/** Characters as YouTube counts tags: with a comma between two, and quotation marks around one with a space (docs/videos). */
export function tagsLength(tags: readonly string[]): number {
  const lengths = tags.map((tag) => [...tag].length + (tag.includes(' ') ? 2 : 0));
  return lengths.reduce((sum, length) => sum + length, Math.max(0, tags.length - 1));
}
