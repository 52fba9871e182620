import type { DeliveryFile } from '#libs/content';
import { MAX_ALT_TEXT } from './linkedin-media-limits.js';

/** The description that is sent: LinkedIn takes descriptions of images. A longer one is cut, because other networks take more. */
export function altTextOf({ kind, altText }: Pick<DeliveryFile, 'kind' | 'altText'>): string | null {
  const text = altText?.trim() ?? '';
  if (kind === 'video' || text === '') return null;
  const characters = [...text];
  return characters.length <= MAX_ALT_TEXT ? text : `${characters.slice(0, MAX_ALT_TEXT - 1).join('')}…`;
}
