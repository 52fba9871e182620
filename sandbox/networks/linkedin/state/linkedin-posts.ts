import type { SandboxPost } from '../../kit/state/posts.js';

/** The id is the URN. `text` is what readers see; `authorId` the account whose timeline shows the post. */
export interface LinkedInPost extends SandboxPost {
  /** Little text as it was sent. */
  readonly commentary: string;
  readonly visibility: string;
  /** As it was sent. */
  readonly content: PostContent;
}

export interface PostContent {
  readonly article?: { readonly source: string; readonly title: string };
  readonly media?: ShownFile;
  readonly multiImage?: { readonly images: readonly ShownFile[] };
}

export interface ShownFile {
  readonly id: string;
  readonly title?: string;
  readonly altText?: string;
}

export const filesOf = ({ media, multiImage }: PostContent): readonly ShownFile[] =>
  media ? [media] : (multiImage?.images ?? []);

/** The number in `urn:li:share:7130`. */
export const numberOf = (urn: string): string => /\d+$/.exec(urn)?.[0] ?? '0';
