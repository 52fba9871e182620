import type { MediaFacts, MediaKind } from '#libs/content';
import type { MediaCounts, PostEvent } from './post.events.js';
import { exists, type Post } from './post.js';

/** The files that a post refers to. */
export interface MediaUses {
  readonly mediaIds: readonly string[];
  /** The post is not published: its files cannot be deleted. */
  readonly needed: boolean;
}

const NO_USES: MediaUses = { mediaIds: [], needed: false };

export const mediaUsesOf = (post: Post): MediaUses =>
  exists(post) && post.content.mediaIds.length > 0
    ? { mediaIds: post.content.mediaIds, needed: post.status !== 'published' }
    : NO_USES;

/** Events after which a post is sent: its files must exist, and renditions of them be ready by then. */
const SCHEDULING: ReadonlySet<string> = new Set<PostEvent['type']>([
  'PostScheduled',
  'PostRescheduled',
  'PostRetried',
]);

/** Whether the post is sent at a time that this change chose. */
export const isScheduled = (events: readonly PostEvent[]): boolean =>
  events.some(({ type }) => SCHEDULING.has(type));

/** Whether the uses are written again: they differ, or the post with files is scheduled or its files are shown in another way. */
export function changesMediaUses(before: Post, after: Post, events: readonly PostEvent[]): boolean {
  const [old, current] = [mediaUsesOf(before), mediaUsesOf(after)];
  if (old === current) return false;
  const isSame = old.needed === current.needed && old.mediaIds.join() === current.mediaIds.join();
  return !isSame || isScheduled(events) || changesOptions(events);
}

const changesOptions = (events: readonly PostEvent[]): boolean =>
  events.some(({ type, data }) => type === 'PostEdited' && data.changed.includes('options'));

/** undefined without files. Files of unknown kind no longer exist and are not counted. */
export function mediaCountsOf(media: readonly MediaFacts[]): MediaCounts | undefined {
  if (media.length === 0) return undefined;
  const counts: Partial<Record<MediaKind, number>> = {};
  for (const { kind } of media) if (kind !== null) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
