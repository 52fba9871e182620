import type { AiMark } from './ai-mark.js';

/** What a file shows. A moving GIF or WebP is an `animation`; with one frame it is an `image`. */
export type MediaKind = 'image' | 'animation' | 'video';

/** What is known of a file that a post shows. null: not known, or the kind of file has no such fact. */
export interface MediaFacts {
  readonly id: string;
  readonly kind: MediaKind | null;
  /** Media type, such as `image/jpeg`. */
  readonly contentType: string | null;
  readonly bytes: number | null;
  /** Pixels, as shown: after orientation, rotation and pixel aspect ratio. */
  readonly width: number | null;
  readonly height: number | null;
  /** Of animations and videos. */
  readonly durationMs: number | null;
  /** Of animations: number of frames. */
  readonly frames: number | null;
  /** Of videos: frames per second, averaged; null when it cannot be read from the index. */
  readonly frameRate: number | null;
  /** Of videos: width of a pixel / its height; 1 for square pixels. */
  readonly pixelAspectRatio: number | null;
  /** Of videos: whether the codec or the container states fields, as of interlaced pictures. */
  readonly isInterlaced: boolean | null;
  /** Of videos: codec parameter string of RFC 6381, such as `avc1.64001f`. */
  readonly videoCodec: string | null;
  /** Of videos: codec parameter string, such as `mp4a.40.2`; null without sound. */
  readonly audioCodec: string | null;
  readonly audioChannels: number | null;
  /** Of videos with sound: samples per second. */
  readonly audioSampleRate: number | null;
  /** Of MP4 and QuickTime: whether the index (`moov`) comes before the data (`mdat`). */
  readonly indexFirst: boolean | null;
  /** Of MP4 and QuickTime: whether a track has an edit list (`elst`) that changes what is shown. */
  readonly hasEditLists: boolean | null;
  /** Whether the file has Content Credentials (a C2PA manifest): detected, not verified. */
  readonly hasCredentials: boolean | null;
  /** Of a picture with Content Credentials: its bytes can be published as they are. They name no place, and show the same to everyone. */
  readonly isPublishable: boolean | null;
  /** Whether the file says that a model made it, by XMP or a C2PA manifest: detected, not verified; null also for containers without a place for that. */
  readonly aiMark: AiMark | null;
  /** Description for people who do not see the file. */
  readonly altText: string | null;
}

/** A file of which nothing but its id is known. */
export const unknownMedia = (id: string): MediaFacts => ({
  id,
  kind: null,
  contentType: null,
  bytes: null,
  width: null,
  height: null,
  durationMs: null,
  frames: null,
  frameRate: null,
  pixelAspectRatio: null,
  isInterlaced: null,
  videoCodec: null,
  audioCodec: null,
  audioChannels: null,
  audioSampleRate: null,
  indexFirst: null,
  hasEditLists: null,
  hasCredentials: null,
  isPublishable: null,
  aiMark: null,
  altText: null,
});
