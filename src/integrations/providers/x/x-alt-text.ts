import type { DeliveryFile } from '#libs/content';
import { MAX_ALT_TEXT } from './x-media-limits.js';

/**
 * The description that is sent: X takes descriptions of images only (docs.x.com, "Media metadata"). A longer one is cut, because
 * other networks take more.
 */
export function altTextOf({ kind, altText }: Pick<DeliveryFile, 'kind' | 'altText'>): string | null {
  const text = altText?.trim() ?? '';
  if (kind !== 'image' || text === '') return null;
  const characters = [...text];
  return characters.length <= MAX_ALT_TEXT ? text : `${characters.slice(0, MAX_ALT_TEXT - 1).join('')}…`;
}
