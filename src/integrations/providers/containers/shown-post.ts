import { addressIn, memberOf } from '../values.js';
import type { ShownPost } from './container-network.js';
import { postIdIn } from './post-id.js';

/** A post of a list. @param textField the network's name of its text; absent in posts without one */
export function shownPostIn(item: unknown, textField: string): ShownPost | null {
  const id = postIdIn(memberOf(item, 'id'));
  if (id === null) return null;
  const text = memberOf(item, textField);
  const timestamp = memberOf(item, 'timestamp');
  const publishedAt = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
  return {
    id,
    text: typeof text === 'string' ? text.normalize('NFC') : '',
    permalink: addressIn(memberOf(item, 'permalink')),
    publishedAt: Number.isNaN(publishedAt) ? null : publishedAt,
  };
}
