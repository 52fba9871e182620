import type { DeliveryFile } from '#libs/content';
import { altTextOf as cutAltText } from '../alt-text.js';
import { MAX_ALT_TEXT } from './x-media-limits.js';

/** The description that is sent: X takes descriptions of images only (docs.x.com, "Media metadata"). */
export const altTextOf = (file: Pick<DeliveryFile, 'kind' | 'altText'>): string | null =>
  file.kind === 'image' ? cutAltText(file, MAX_ALT_TEXT) : null;
