import type { Finding, MediaKind } from '#libs/content';
import type { Blocker } from '../domain/post.events.js';
import type { PostDetails } from './post-details.js';
import { threadEligibilityOf, type ThreadPart } from '../domain/thread.js';

/** The part of the thread that must be published first. */
export interface BlockedBy {
  /** null: the part was deleted or never created. */
  readonly postId: string | null;
  readonly position: number;
}

/** A post and the organization that its brand belonged to when the post was read. */
interface OwnedPost extends PostDetails {
  readonly organizationId: string;
}

/** A post after a command. */
export interface WrittenPost extends OwnedPost {
  /** Preflight of this content, if the command ran it. */
  readonly findings?: readonly Finding[];
}

/** A file of a post for its readers. null: not known, or the kind of file has no such fact. */
export interface PostFile {
  readonly id: string;
  /** null: the file no longer exists. */
  readonly kind: MediaKind | null;
  readonly contentType: string | null;
  readonly bytes: number | null;
  /** Pixels, as shown. */
  readonly width: number | null;
  readonly height: number | null;
  /** width / height, rounded to four digits after the point. */
  readonly ratio: number | null;
  readonly durationMs: number | null;
  readonly altText: string | null;
  readonly thumbnailUrl: string | null;
}

/** A post with the part of its thread that it waits for. */
export interface PostInThread extends OwnedPost {
  readonly blockedBy: BlockedBy | null;
}

/** A post as lists and single reads return it. */
export interface PostItem extends PostInThread {
  /** In the order of `mediaIds`. */
  readonly media: readonly PostFile[];
  /** What prevents the publication of this content: as recorded with it, and its files as they are now. Empty once published. */
  readonly blockers: readonly Blocker[];
}

export function itemOf(post: PostDetails, organizationId: string, before: ThreadPart | null): PostInThread {
  return { ...post, organizationId, blockedBy: blockedBy(post, before) };
}

function blockedBy(post: PostDetails, before: ThreadPart | null): BlockedBy | null {
  const { threadId, threadPosition, status } = post;
  if (threadId === null || threadPosition === null || status === 'published') return null;
  const eligibility = threadEligibilityOf({ id: threadId, position: threadPosition }, before);
  return eligibility.isEligible ? null : { postId: eligibility.blockedBy, position: threadPosition - 1 };
}
