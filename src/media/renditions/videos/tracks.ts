import type { Input, InputAudioTrack, InputVideoTrack } from 'mediabunny';
import { CannotRender } from '../domain/render.types.js';
import {
  type AudioCodec,
  copiedSound,
  oneOf,
  VIDEO_CODECS,
  type VideoCodec,
} from '../../container/open-video.js';

export interface Copied<Track, Codec> {
  readonly track: Track;
  readonly codec: Codec;
}

export interface CopiedTracks {
  readonly video: Copied<InputVideoTrack, VideoCodec>;
  readonly audio: Copied<InputAudioTrack, AudioCodec> | null;
}

/** All other tracks are left out: further sounds, subtitles, and timed metadata such as places. */
export async function chooseTracks(input: Input): Promise<CopiedTracks> {
  const track = await input.getPrimaryVideoTrack();
  if (track === null) throw new CannotRender('not_readable', 'The file has no picture. Choose another file.');
  const codec = oneOf(VIDEO_CODECS, await track.getCodec());
  if (codec === undefined) throw unsupported('video', 'H.264');
  return { video: { track, codec }, audio: await chooseSound(input) };
}

async function chooseSound(input: Input): Promise<CopiedTracks['audio']> {
  const sound = await copiedSound(input);
  if (sound === null && (await input.getPrimaryAudioTrack()) !== null) throw unsupported('sound', 'AAC');
  return sound;
}

const unsupported = (part: string, instead: string) =>
  new CannotRender(
    'needs_encoding',
    `The ${part} has a codec that networks do not take. Export it with ${instead}.`,
  );
