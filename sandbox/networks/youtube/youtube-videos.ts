import { randomBytes } from 'node:crypto';
import type { MediaContent } from '../kit/media/media-content.js';
import type { SandboxPost } from '../kit/state/accounts.js';

export const PRIVACIES = ['private', 'unlisted', 'public'] as const;
type Privacy = (typeof PRIVACIES)[number];

/** A video as it was announced. */
export interface VideoMetadata {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly categoryId: string;
  readonly privacy: Privacy;
  readonly madeForKids: boolean;
  readonly containsSyntheticMedia: boolean;
}

/** An upload session. Instants in epoch milliseconds. */
export interface YoutubeSession extends VideoMetadata {
  /** `upload_id` of its address. */
  readonly id: string;
  readonly accountId: string;
  readonly total: number;
  readonly received: number;
  readonly begunAt: number;
  readonly videoId: string | null;
  readonly content: MediaContent | null;
}

/** A published video. `text` is its description. */
export interface YoutubeVideo extends SandboxPost, VideoMetadata {
  /** null: it could not be decoded, as YouTube finds out after the upload. */
  readonly content: MediaContent | null;
}

/** 11 characters, as videos of YouTube have. */
export const newVideoId = (): string => randomBytes(9).toString('base64url').slice(0, 11);
export const newSessionId = (): string => `A${randomBytes(40).toString('base64url')}`;
