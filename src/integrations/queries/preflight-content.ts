import type { Finding, Platform } from '#libs/content';
import { sentContent } from '../domain/sent-content.js';
import { networkOf } from '../networks.js';
import type { ContentToCheck } from '../provider.js';

/** What the network would refuse or change about this content, in the order of its rules; empty: nothing. Pure. */
export const preflightContent = (platform: Platform, content: ContentToCheck): Finding[] =>
  networkOf(platform).rules.preflight(sentContent(content));
