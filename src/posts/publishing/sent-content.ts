import type { DeliveryContent } from '../../integrations/index.js';
import type { Scheduled } from '../domain/post.js';
import { fingerprintOf } from '../content/content-fingerprint.js';

/** What of a scheduled post reaches the network. */
export interface Sent {
  readonly content: Scheduled['content'];
  /** The network's id of the previous part of the thread; null for a post of its own. */
  readonly replyTo: string | null;
}

/** Fingerprint of everything that a preparation depends on. */
export const preparedFor = ({ content, replyTo }: Sent): string =>
  `${fingerprintOf(content)}/${replyTo ?? ''}`;

export function contentOf({ content, replyTo }: Sent): DeliveryContent {
  const { text, title, link, mediaIds, target } = content;
  return { text, title, link, mediaIds, target, replyTo };
}
