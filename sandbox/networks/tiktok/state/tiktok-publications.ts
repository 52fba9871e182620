import type { MediaContent } from '../../kit/media/media-content.js';
import type { SandboxPost } from '../../kit/state/posts.js';
import type { UploadRules } from '../../kit/state/uploads.js';

/** The members of `post_info` that the sandbox keeps. */
export interface PostInfo {
  readonly title: string;
  /** Of photos. */
  readonly description: string;
  readonly privacyLevel: string;
  readonly isAigc: boolean;
}

/** One post from its beginning to TikTok's decision. Instants in epoch milliseconds. */
export interface Publication {
  /** The `publish_id`. */
  readonly id: string;
  readonly accountId: string;
  readonly info: PostInfo;
  /** Of a video; null for photos. */
  readonly upload: VideoUpload | null;
  /** Of the files that TikTok has taken. */
  readonly media: readonly { readonly id: string; readonly content: MediaContent }[];
  /** null: TikTok does not have all files. */
  readonly decision: {
    readonly from: number;
    readonly failReason: string | null;
    readonly postId: string | null;
  } | null;
}

export interface VideoUpload {
  readonly token: string;
  readonly until: number;
  readonly bytes: number;
  readonly partBytes: number;
  readonly parts: number;
  /** Bytes of the parts that have arrived, in order. */
  readonly received: readonly number[];
}

export interface TikTokPost extends SandboxPost {
  readonly publishId: string;
  /** Of photos. */
  readonly title: string;
  readonly privacyLevel: string;
  readonly isAigc: boolean;
}

export const fileName = (id: string, index = 0): string => `tiktok-${id}-${index}`;
export const partName = (id: string, part: number): string => `tiktok-${id}.part-${part}`;
export const partNames = ({ id, upload }: Publication): string[] =>
  (upload?.received ?? []).map((_, part) => partName(id, part));

export const PUBLICATIONS: UploadRules<Publication> & { readonly kind: string } = {
  kind: 'tiktok.publication',
  filesOf: (publication) => [...publication.media.map(({ id }) => id), ...partNames(publication)],
};

export const receivedBytes = ({ received }: VideoUpload): number =>
  received.reduce((sum, each) => sum + each, 0);
