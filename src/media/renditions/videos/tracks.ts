import type { Input, InputAudioTrack, InputVideoTrack } from 'mediabunny';
import { CannotRender } from '../domain/render.types.js';

/** What networks take inside MP4 and what is copied without encoding. */
const VIDEO_CODECS = ['avc', 'hevc', 'vp9', 'av1'] as const;
const AUDIO_CODECS = ['aac', 'opus'] as const;

export type VideoCodec = (typeof VIDEO_CODECS)[number];
export type AudioCodec = (typeof AUDIO_CODECS)[number];

export interface Copied<Track, Codec> {
  readonly track: Track;
  readonly codec: Codec;
}

export interface CopiedTracks {
  readonly video: Copied<InputVideoTrack, VideoCodec>;
  /** The first sound whose codec can be copied. */
  readonly audio: Copied<InputAudioTrack, AudioCodec> | null;
}

/** All other tracks are left out: further sounds, subtitles, and timed metadata such as places. @throws CannotRender */
export async function chooseTracks(input: Input): Promise<CopiedTracks> {
  const track = await input.getPrimaryVideoTrack();
  if (track === null) throw new CannotRender('not_readable', 'The file has no picture. Choose another file.');
  const codec = oneOf(VIDEO_CODECS, await track.getCodec());
  if (codec === undefined) throw unsupported('video', 'H.264');
  return { video: { track, codec }, audio: await chooseSound(input) };
}

async function chooseSound(input: Input): Promise<CopiedTracks['audio']> {
  const tracks = await input.getAudioTracks();
  for (const track of tracks) {
    const codec = oneOf(AUDIO_CODECS, await track.getCodec());
    if (codec !== undefined) return { track, codec };
  }
  if (tracks.length > 0) throw unsupported('sound', 'AAC');
  return null;
}

const oneOf = <T extends string>(values: readonly T[], value: string | null): T | undefined =>
  values.find((each) => each === value);

const unsupported = (part: string, instead: string) =>
  new CannotRender(
    'needs_encoding',
    `The ${part} has a codec that networks do not take. Export it with ${instead}.`,
  );
