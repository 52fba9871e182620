import type { MediaContent } from '../kit/media/media-content.js';
import type { SandboxAccount, SandboxPost } from '../kit/state/accounts.js';

/** Its id is the `open_id`. */
export interface TikTokAccount extends SandboxAccount {
  /** Followers are accepted one by one, and no post is public. */
  readonly isPrivate: boolean;
  readonly commentDisabled: boolean;
  readonly duetDisabled: boolean;
  readonly stitchDisabled: boolean;
  readonly maxVideoSeconds: number;
}

/** `privacy_level_options`: a private account offers its followers instead of everyone. */
export const levelsOf = ({ isPrivate }: TikTokAccount): readonly string[] => [
  isPrivate ? 'FOLLOWER_OF_CREATOR' : 'PUBLIC_TO_EVERYONE',
  'MUTUAL_FOLLOW_FRIENDS',
  'SELF_ONLY',
];

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

export const receivedBytes = ({ received }: VideoUpload): number =>
  received.reduce((sum, each) => sum + each, 0);
