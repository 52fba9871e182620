import type { Platform } from '#libs/content';
import { sentContent } from '../domain/sent-content.js';
import { networkOf } from '../networks.js';
import type { ContentToCheck, TextLength } from '../provider.js';

/** Whether posts of the network can form a thread. Pure. */
export const hasThreads = (platform: Platform): boolean => networkOf(platform).rules.hasThreads;

/** What the text of this content counts on the network; null: the rules cannot tell. Pure. */
export const textLengthOf = (platform: Platform, content: ContentToCheck): TextLength | null =>
  networkOf(platform).rules.textLength?.(sentContent(content)) ?? null;
