import type { Platform, RenditionSpec } from '#libs/content';
import { networkOf } from '../networks.js';
import type { ContentToCheck } from '../provider.js';

/** What the network needs of each file, in their order; null: it takes nothing that can be made of this file. Pure. */
export const renditionsOf = (platform: Platform, content: ContentToCheck): (RenditionSpec | null)[] =>
  networkOf(platform).rules.renditions(content);
