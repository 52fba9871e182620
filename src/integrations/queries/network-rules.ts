import type { Platform, Finding, RenditionSpec } from '#libs/content';
import { sentContent } from '../domain/sent-content.js';
import { networkOf } from '../networks.js';
import type { ContentToCheck, TextLength } from '../provider.types.js';

export const hasThreads = (platform: Platform): boolean => networkOf(platform).rules.hasThreads;

/** What the text of this content counts on the network; null: the rules cannot tell. Pure. */
export const textLengthOf = (platform: Platform, content: ContentToCheck): TextLength | null =>
  networkOf(platform).rules.textLength?.(sentContent(content)) ?? null;

/** What the network would refuse or change about this content, in the order of its rules; empty: nothing. Pure. */
export const preflightContent = (platform: Platform, content: ContentToCheck): Finding[] =>
  networkOf(platform).rules.preflight(sentContent(content));

/** What the network needs of each file, in their order; null: it takes nothing that can be made of this file. Pure. */
export const renditionsOf = (platform: Platform, content: ContentToCheck): (RenditionSpec | null)[] =>
  networkOf(platform).rules.renditions(content);

/** Whether the network could have given this id to a post; it may not have. Pure. */
export const isPostId = (platform: Platform, id: string): boolean => networkOf(platform).rules.isPostId(id);
