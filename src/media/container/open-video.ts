import {
  CustomSource,
  Input,
  type InputAudioTrack,
  Logging,
  LogLevel,
  MATROSKA,
  MP4,
  QTFF,
  WEBM,
} from 'mediabunny';
import type { RangedSource } from '../domain/ranged-source.js';

/** A demultiplexer that reads so often, one time after another, where it read lately does not advance. */
const MAX_REPEATS = 1_024;
/** Positions that a loop may have. */
const RECENT_POSITIONS = 128;

/** The parser of the file repeats reads for ever, as mediabunny 1.61 does where it looks for the next element after damaged ones. */
export class ReadsDoNotAdvance extends Error {
  constructor() {
    super('The reader of the file does not advance. Check for damaged elements.');
  }
}

/**
 * Ends loops that read at the same positions again and again, in any order. A read at another position ends the count: a file may have
 * one header that is read before each of a million packets. Each read must reach it: the reader caches nothing itself.
 */
export function advancing(source: RangedSource): RangedSource {
  const recent = new Set<number>();
  let repeats = 0;
  const read = (start: number, end: number): Promise<Uint8Array> => {
    repeats = recent.delete(start) ? repeats + 1 : 0;
    recent.add(start);
    for (const oldest of recent) {
      if (recent.size <= RECENT_POSITIONS) break;
      recent.delete(oldest);
    }
    return repeats < MAX_REPEATS ? source.read(start, end) : Promise.reject(new ReadsDoNotAdvance());
  };
  return { bytes: source.bytes, read };
}

/** What networks take inside MP4 and what is copied without encoding. */
export const VIDEO_CODECS = ['avc', 'hevc', 'vp9', 'av1'] as const;
const AUDIO_CODECS = ['aac', 'opus'] as const;

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

// Errors are thrown; mediabunny would also print what it finds in files of users.
Logging.level = LogLevel.Silent;

/**
 * A video in a container that the library accepts, read by ranges. Dispose it.
 * @param source caches what is read again: a cache of the demultiplexer would hide reads that do not advance
 */
export function openVideo(source: RangedSource): Input {
  const guarded = advancing(source);
  return new Input({
    formats: [MP4, QTFF, WEBM, MATROSKA],
    source: new CustomSource({
      getSize: () => guarded.bytes,
      read: (start, end) => guarded.read(start, end),
      maxCacheSize: 0,
      prefetchProfile: 'none',
    }),
  });
}
