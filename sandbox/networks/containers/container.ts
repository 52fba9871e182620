import type { MediaContent } from '../kit/media/media-content.js';
import type { SandboxPost } from '../kit/state/posts.js';

export type MediaType = 'TEXT' | 'IMAGE' | 'VIDEO' | 'REELS' | 'STORIES' | 'CAROUSEL';

/** What a container is made of, as the call names it. */
export interface ContainerDraft {
  readonly mediaType: MediaType;
  /** The file of the container; null: it has none. */
  readonly source: { readonly kind: 'image' | 'video'; readonly address: string } | null;
  /** Part of a carousel: it cannot be published by itself. */
  readonly isItem: boolean;
  readonly text: string;
  readonly altText: string | null;
  readonly children: readonly string[];
  readonly replyTo: string | null;
  readonly link: string | null;
  /** Further choices, as the timeline shows them. */
  readonly notes: readonly string[];
  /** Its flag for what a model made. */
  readonly madeWithAi?: boolean;
}

/** Instants in epoch milliseconds. */
export interface Container extends ContainerDraft {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: number;
  /** null: the container has no file, or it could not be used. */
  readonly content: MediaContent | null;
  /** Why it failed, in the network's words; null: it did not. */
  readonly error: string | null;
  /** Questions for its state that are still answered with IN_PROGRESS. */
  readonly pollsLeft: number;
  readonly postId: string | null;
}

export type ContainerState = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED';

/** @param lifeSeconds of a container that is not published */
export function stateOf(container: Container, now: number, lifeSeconds: number): ContainerState {
  if (container.postId !== null) return 'PUBLISHED';
  if (container.createdAt + lifeSeconds * 1000 <= now) return 'EXPIRED';
  if (container.pollsLeft > 0) return 'IN_PROGRESS';
  return container.error === null ? 'FINISHED' : 'ERROR';
}

export interface ContainerPost extends SandboxPost {
  readonly mediaType: MediaType;
  readonly inReplyTo: string | null;
  /** The post that the thread began with. */
  readonly rootId: string;
  readonly link: string | null;
  readonly notes: readonly string[];
  readonly madeWithAi?: boolean;
}
