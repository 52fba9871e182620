import type { Finding } from '#libs/content';
import type { PostDetails } from './post-details.js';
import type { ThreadPart } from '../domain/thread.js';
import { threadEligibilityOf } from '../domain/thread.js';

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

/** A post with the part of its thread that it waits for. */
export interface PostItem extends OwnedPost {
  readonly blockedBy: BlockedBy | null;
}

export function itemOf(post: PostDetails, organizationId: string, before: ThreadPart | null): PostItem {
  return { ...post, organizationId, blockedBy: blockedBy(post, before) };
}

function blockedBy(post: PostDetails, before: ThreadPart | null): BlockedBy | null {
  const { threadId, threadPosition, status } = post;
  if (threadId === null || threadPosition === null || status === 'published') return null;
  const eligibility = threadEligibilityOf({ id: threadId, position: threadPosition }, before);
  return eligibility.isEligible ? null : { postId: eligibility.blockedBy, position: threadPosition - 1 };
}
