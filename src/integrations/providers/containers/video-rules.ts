import { above, type Codecs, errorRule, type MediaRule } from '../file-rules.js';

/** Instagram and Threads publish the same rules for the encoding of videos. */
export const VIDEO_ENCODING = {
  minFrameRate: 23,
  maxFrameRate: 60,
  videoCodecs: { accepted: /^(avc[13]|hvc1|hev1)\b/, names: 'H.264 or H.265' } as Codecs,
  audioCodecs: { accepted: /^mp4a\b/, names: 'AAC' } as Codecs,
  maxAudioChannels: 2,
  maxSampleRate: 48_000,
  onlyChroma420: true,
  onlyProgressive: true,
} as const;

/** "Maximum columns (horizontal pixels)"; the height has no bound of its own. */
const MAX_WIDTH = 1_920;

export const widthRule = (displayName: string): MediaRule =>
  errorRule(
    'video-width',
    ({ width }) => above(width, MAX_WIDTH),
    `${displayName} takes videos of at most ${MAX_WIDTH} pixels in width. Use a smaller one.`,
  );
