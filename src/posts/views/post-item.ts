import type { PostDetails } from './post-details.js';
import type { ThreadPart } from '../domain/thread.js';
import { threadEligibilityOf } from '../domain/thread.js';

/** The part of the thread that has to be live first. */
export interface BlockedBy {
  /** null: it was deleted, or never written. */
  readonly postId: string | null;
  readonly position: number;
}

/** A post as a command leaves it. */
export interface WrittenPost extends PostDetails {
  /** Of its brand, at the moment of reading. */
  readonly organizationId: string;
}

/** A post with what follows from its surroundings. */
export interface PostItem extends WrittenPost {
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
