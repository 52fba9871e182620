export type ImageFormat = 'jpeg' | 'png' | 'webp';
export type AnimationFormat = 'gif' | 'webp';

/** Bounds of the ratio width / height. A file outside is cropped around its focus point. */
export interface RatioBounds {
  readonly min: number;
  readonly max: number;
}

/** What a network accepts as an image. The rendition is encoded again, in sRGB with 8 bits, and without metadata; a picture with Content Credentials that fits is copied. */
export interface ImageSpec {
  readonly kind: 'image';
  /** In order of preference; the format of the source is kept when it is among them. A source with alpha needs png or webp, else it is flattened on white. */
  readonly formats: readonly ImageFormat[];
  readonly maxBytes: number;
  /** Pixels; larger sources are scaled down, smaller ones are never scaled up. */
  readonly maxWidth: number;
  readonly maxHeight: number;
  /** width × height; null: no bound of its own. */
  readonly maxPixels: number | null;
  readonly ratio: RatioBounds | null;
}

/** What a network accepts as an animation. */
export interface AnimationSpec {
  readonly kind: 'animation';
  readonly formats: readonly AnimationFormat[];
  readonly maxBytes: number;
  readonly maxWidth: number;
  readonly maxHeight: number;
  readonly maxFrames: number;
  /** width × height × frames. */
  readonly maxFramePixels: number;
}

/** What a network accepts as a video. Tracks are copied without encoding, the index comes first, without edit lists and private metadata. */
export interface VideoSpec {
  readonly kind: 'video';
  readonly container: 'mp4';
  readonly maxBytes: number;
}

/** Target of a rendition: everything that it depends on besides the source file and its focus point. */
export type RenditionSpec = ImageSpec | AnimationSpec | VideoSpec;
