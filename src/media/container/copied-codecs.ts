import type { Input, InputAudioTrack } from 'mediabunny';

/** What networks take inside MP4 and what is copied without encoding. */
export const VIDEO_CODECS = ['avc', 'hevc', 'vp9', 'av1'] as const;
export const AUDIO_CODECS = ['aac', 'opus'] as const;

export type VideoCodec = (typeof VIDEO_CODECS)[number];
export type AudioCodec = (typeof AUDIO_CODECS)[number];

/** The sound that renditions copy: the first one whose codec can be copied; null: there is none. */
export async function copiedSound(
  input: Input,
): Promise<{ readonly track: InputAudioTrack; readonly codec: AudioCodec } | null> {
  for (const track of await input.getAudioTracks()) {
    const codec = oneOf(AUDIO_CODECS, await track.getCodec());
    if (codec !== undefined) return { track, codec };
  }
  return null;
}

export const oneOf = <T extends string>(values: readonly T[], value: string | null): T | undefined =>
  values.find((each) => each === value);
