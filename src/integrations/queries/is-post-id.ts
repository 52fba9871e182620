import type { Platform } from '#libs/content';
import { networkOf } from '../networks.js';

/** Whether the network could have given this id to a post; it may not have. Pure. */
export const isPostId = (platform: Platform, id: string): boolean => networkOf(platform).rules.isPostId(id);
