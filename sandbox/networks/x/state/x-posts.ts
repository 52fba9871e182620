import type { SandboxPost } from '../../kit/state/posts.js';

export interface XPost extends SandboxPost {
  /** As it was sent, in NFC. What the wire shows is `wireText`. */
  readonly text: string;
  readonly inReplyTo: string | null;
  /** Id of the post that the thread began with. */
  readonly conversationId: string;
}
