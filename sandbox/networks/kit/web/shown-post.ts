import type { Markup } from '#libs/pages';
import type { MediaContent } from '../media/media-content.js';
import type { SandboxAccount } from '../state/accounts.js';
import type { SandboxPost } from '../state/posts.js';

/** A picture or a video of a post. */
export interface ShownMedia {
  /** Of the upload; its bytes are served below `/i/media/`. */
  readonly id: string;
  readonly kind: 'image' | 'video';
  readonly altText: string | null;
  readonly width?: number;
  readonly height?: number;
}

/** A post as its timeline shows it. */
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

/** How the pages of a network show its posts. */
export interface Timeline<A extends SandboxAccount, P extends SandboxPost> {
  show(post: P, account: A): ShownPost;
  /** undefined: no post shows it. */
  file(id: string): ShownFile | undefined;
  /** Joins the posts of an account, oldest first, into groups in the order of the page. Default: each alone, the newest first. */
  readonly threads?: (posts: readonly P[], limit: number) => readonly (readonly P[])[];
  readonly isVerified?: (account: A) => boolean;
}
