import type { Markup } from '#libs/pages';
import type { MediaContent } from '../media/media-content.js';
import type { SandboxAccount, SandboxPost } from '../state/accounts.js';

export interface ShownMedia {
  /** Of the upload; its bytes are served below `/i/media/`. */
  readonly id: string;
  readonly kind: 'image' | 'video';
  readonly altText: string | null;
  readonly width?: number;
  readonly height?: number;
}

export interface ShownPost {
  readonly id: string;
  /** Of its own page, such as `/x-web/acme/status/1`. */
  readonly path: string;
  readonly createdAt: string;
  readonly title?: string;
  readonly text: Markup | string;
  readonly media: readonly ShownMedia[];
  /** A link that the post shows as a card. */
  readonly link?: { readonly href: string; readonly title: string };
  /** Who sees it and what else the network says of it, such as `only me`. */
  readonly note?: string;
}

/** The bytes of an upload that a post shows. */
export interface ShownFile {
  readonly path: string;
  readonly content: Pick<MediaContent, 'bytes' | 'contentType'>;
}

export interface Timeline<A extends SandboxAccount, P extends SandboxPost> {
  show(post: P, account: A): ShownPost;
  /** undefined: no post shows it. */
  file(id: string): ShownFile | undefined;
  /** Joins the posts of an account, oldest first, into groups in the order of the page. Default: each alone, the newest first. */
  readonly threads?: (posts: readonly P[], limit: number) => readonly (readonly P[])[];
  readonly isVerified?: (account: A) => boolean;
}

/** Joins the posts of an account into threads in reading order, the one with the newest post first. @param posts oldest first */
export const threadsBy =
  <P>(rootOf: (post: P) => string) =>
  (posts: readonly P[], limit: number): P[][] => {
    const threads = new Map<string, P[]>();
    for (const post of posts.toReversed()) {
      const known = threads.get(rootOf(post));
      if (known) known.unshift(post);
      else if (threads.size < limit) threads.set(rootOf(post), [post]);
    }
    return [...threads.values()];
  };
