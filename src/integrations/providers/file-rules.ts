import type { Finding, MediaFacts, MediaKind, RatioBounds } from '#libs/content';

export interface MediaRule {
  /** Last part of the rule id. */
  readonly id: string;
  readonly severity: Finding['severity'];
  /** A fact that is not known breaks no rule. */
  readonly isBroken: (file: MediaFacts) => boolean;
  readonly message: string;
}

type RuleOf = (id: string, isBroken: MediaRule['isBroken'], message: string) => MediaRule;

export const errorRule: RuleOf = (id, isBroken, message) => ({ id, severity: 'error', isBroken, message });
export const warningRule: RuleOf = (id, isBroken, message) => ({
  id,
  severity: 'warning',
  isBroken,
  message,
});

export interface Codecs {
  /** Tests the codec parameter string of RFC 6381. */
  readonly accepted: RegExp;
  /** The codecs as people know them, such as `H.264 or H.265`. */
  readonly names: string;
}

/** What a network takes of one kind of file. Absent: no bound, or a rendition makes the file fit. */
export interface FileLimits {
  /** Files of this kind in one post. */
  readonly max: number;
  readonly maxBytes?: number;
  /** Pixels, in any orientation. */
  readonly minSide?: number;
  readonly maxLongSide?: number;
  readonly maxShortSide?: number;
  /** width / height. */
  readonly ratio?: RatioBounds;
  readonly minMs?: number;
  readonly maxMs?: number;
  readonly maxFrames?: number;
  readonly minFrameRate?: number;
  readonly maxFrameRate?: number;
  readonly videoCodecs?: Codecs;
  readonly audioCodecs?: Codecs;
  readonly maxAudioChannels?: number;
  /** Samples per second. */
  readonly maxSampleRate?: number;
  /** The network takes 4:2:0 only. */
  readonly onlyChroma420?: true;
  readonly onlyProgressive?: true;
}

/** As people name files of a kind. */
export const NAMES: Readonly<Record<MediaKind, string>> = {
  image: 'images',
  animation: 'animations',
  video: 'videos',
};
/** Frame rates are averages: a video of 60 frames per second may have a little more. */
export const FRAME_RATE_TOLERANCE = 0.5;

/** Whether the fact is known and above the bound. */
export const above = (fact: number | null, max: number | undefined): boolean =>
  fact !== null && max !== undefined && fact > max;
/** Whether the fact is known and below the bound. */
export const below = (fact: number | null, min: number | undefined): boolean =>
  fact !== null && min !== undefined && fact < min;
/** Whether the codec is known and not accepted. */
export const isOther = (codec: string | null, accepted: RegExp | undefined): boolean =>
  codec !== null && accepted !== undefined && !accepted.test(codec);
export const ratioOf = ({ width, height }: MediaFacts): number | null => width && height && width / height;
export const shortSide = ({ width, height }: MediaFacts): number | null =>
  width && height && Math.min(width, height);
export const longSide = ({ width, height }: MediaFacts): number | null =>
  width && height && Math.max(width, height);

/** An error, where it states nothing else. */
type Rule = Pick<MediaRule, 'id' | 'isBroken' | 'message'> & Partial<Pick<MediaRule, 'severity'>>;

/** Renditions copy tracks into MP4 without encoding them. */
const COPIED_VIDEO = /^(avc[13]|hvc1|hev1|vp09|vp9|av01)\b/;
/** `mp4a.40.34` is MP3. */
const COPIED_SOUND = /^(mp4a\.40\.(?!34)\d+|mp4a\.67|opus)$/i;

/** A codec that the network may take and that no rendition can have. */
export const copyRules = ({ videoCodecs, audioCodecs }: Partial<FileLimits> = {}): MediaRule[] => [
  {
    id: 'video-not-copied',
    severity: 'error',
    isBroken: ({ videoCodec }) =>
      isOther(videoCodec, COPIED_VIDEO) && !isOther(videoCodec, videoCodecs?.accepted),
    message: 'The codec of the video cannot be copied into MP4. Export the video with H.264.',
  },
  {
    id: 'sound-not-copied',
    severity: 'error',
    isBroken: ({ audioCodec }) =>
      isOther(audioCodec, COPIED_SOUND) && !isOther(audioCodec, audioCodecs?.accepted),
    message: 'The codec of the sound cannot be copied into MP4. Export the video with AAC.',
  },
];

/** The rules about one file that these limits make. Every message says what the network takes and what to do. */
export function fileRules(displayName: string, kind: MediaKind, limits: FileLimits): MediaRule[] {
  return [...shapeRules(kind, limits), ...timeRules(kind, limits), ...encodingRules(kind, limits)].map(
    ({ id, severity = 'error', isBroken, message }) => ({
      id: `${kind}-${id}`,
      severity,
      isBroken,
      message: `${displayName} takes ${message}`,
    }),
  );
}

function shapeRules(kind: MediaKind, limits: FileLimits): Rule[] {
  const { maxBytes, minSide, maxLongSide, maxShortSide, ratio } = limits;
  const name = NAMES[kind];
  return [
    {
      id: 'bytes',
      isBroken: ({ bytes }) => above(bytes, maxBytes),
      message: `${name} of at most ${megabytes(maxBytes)}. Use a smaller one.`,
    },
    {
      id: 'too-small',
      isBroken: (file) => below(shortSide(file), minSide),
      message: `${name} of at least ${minSide} pixels on each side. Use a larger one.`,
    },
    {
      id: 'size',
      isBroken: (file) => above(shortSide(file), maxShortSide) || above(longSide(file), maxLongSide),
      message: `${name} of at most ${maxLongSide} × ${maxShortSide} pixels. Use a smaller one.`,
    },
    {
      id: 'ratio',
      isBroken: (file) => below(ratioOf(file), ratio?.min) || above(ratioOf(file), ratio?.max),
      message: `${name} with an aspect ratio (width : height) from ${asRatio(ratio?.min)} to ${asRatio(ratio?.max)}. Crop the file.`,
    },
  ];
}

function timeRules(
  kind: MediaKind,
  { minMs, maxMs, maxFrames, minFrameRate, maxFrameRate }: FileLimits,
): Rule[] {
  const name = NAMES[kind];
  return [
    {
      id: 'too-short',
      isBroken: ({ durationMs }) => below(durationMs, minMs),
      message: `${name} of at least ${asTime(minMs)}. Use a longer one.`,
    },
    {
      id: 'too-long',
      isBroken: ({ durationMs }) => above(durationMs, maxMs),
      message: `${name} of at most ${asTime(maxMs)}. Use a shorter one.`,
    },
    {
      id: 'frames',
      isBroken: ({ frames }) => above(frames, maxFrames),
      message: `${name} of at most ${maxFrames} frames. Use a shorter one.`,
    },
    {
      id: 'frame-rate',
      isBroken: ({ frameRate }) =>
        above(frameRate, maxFrameRate && maxFrameRate + FRAME_RATE_TOLERANCE) ||
        below(frameRate, minFrameRate && minFrameRate - FRAME_RATE_TOLERANCE),
      message: `${name} with ${minFrameRate ?? 1} to ${maxFrameRate} frames per second. Convert the video.`,
    },
  ];
}

/** Profiles for 4:2:2 and 4:4:4, which encoders name when they use them: H.264, VP9, AV1. */
const OTHER_CHROMA = /^(avc[13]\.(7a|f4|2c)|vp09\.0[13]|av01\.[12])/i;

export const hasOtherChroma = ({ videoCodec }: MediaFacts): boolean =>
  videoCodec !== null && OTHER_CHROMA.test(videoCodec);

function encodingRules(kind: MediaKind, limits: FileLimits): Rule[] {
  const { videoCodecs, audioCodecs, maxAudioChannels, maxSampleRate, onlyChroma420, onlyProgressive } =
    limits;
  return [
    {
      id: 'chroma',
      isBroken: (file) => onlyChroma420 === true && hasOtherChroma(file),
      message: `${NAMES[kind]} with chroma subsampling 4:2:0 only. Convert the video.`,
    },
    {
      id: 'interlaced',
      // The codec can store fields, and progressive pictures too.
      severity: 'warning',
      isBroken: ({ isInterlaced }) => onlyProgressive === true && isInterlaced === true,
      message: `progressive ${NAMES[kind]} only, and may refuse this one, which is interlaced. Export it as progressive.`,
    },
    {
      id: 'codec',
      isBroken: ({ videoCodec }) => isOther(videoCodec, videoCodecs?.accepted),
      message: `${NAMES[kind]} with ${videoCodecs?.names} only. Convert the video.`,
    },
    {
      id: 'audio-codec',
      isBroken: ({ audioCodec }) => isOther(audioCodec, audioCodecs?.accepted),
      message: `sound with ${audioCodecs?.names} only. Convert the video.`,
    },
    {
      id: 'audio-channels',
      isBroken: ({ audioChannels }) => above(audioChannels, maxAudioChannels),
      message: `sound of at most ${maxAudioChannels} channels. Convert the video.`,
    },
    {
      id: 'audio-rate',
      isBroken: ({ audioSampleRate }) => above(audioSampleRate, maxSampleRate),
      message: `sound of at most ${(maxSampleRate ?? 0) / 1000} kHz. Convert the video.`,
    },
  ];
}

const megabytes = (bytes = 0): string =>
  bytes >= 1_000_000_000
    ? `${Math.floor(bytes / 100_000_000) / 10} GB`
    : `${Math.floor(bytes / 100_000) / 10} MB`;
const asTime = (milliseconds = 0): string =>
  milliseconds >= 120_000 ? `${milliseconds / 60_000} minutes` : `${milliseconds / 1000} seconds`;
const asRatio = (value = 0): string => (value >= 1 ? `${round(value)}:1` : `1:${round(1 / value)}`);
const round = (value: number): number => Math.round(value * 100) / 100;
