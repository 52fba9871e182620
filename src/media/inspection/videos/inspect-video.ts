import {
  EncodedPacketSink,
  type Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
} from 'mediabunny';
import { copiedSound, openVideo } from '../../container/open-video.js';
import { shownPicture } from '../../container/shown-picture.js';
import type { TaskContext } from '../../isolation/media-task.js';
import { readAhead } from '../../isolation/read-ahead.js';
import type { RangedSource } from '../../domain/ranged-source.js';
import { ReadBudgetIsExceeded, type Source } from '../../isolation/source.js';
import { INDEX_BLOCK_BYTES, plausibleFrameRate } from '../domain/limits.js';
import {
  type Accepted,
  FileIsRejected,
  type InspectedFacts,
  notReadable,
  rejected,
  unknownFacts,
} from '../domain/inspection.types.js';
import { type IsoLayout, readIsoLayout } from './iso-layout.js';
import { hasFieldsInMatroska, isMatroskaTruncated } from './matroska.js';

/** Whether the file has the first and the last packet that the index of the track names. */
async function hasBothEnds(track: InputTrack): Promise<boolean> {
  const sink = new EncodedPacketSink(track);
  const first = await sink.getFirstPacket();
  if (!first) return false;
  return (await sink.getPacket(Infinity)) !== null;
}

/** Of the index: 4 MB. */
const KEPT_BLOCKS = 64;
/** Packets over which the frame rate is averaged. */
const RATE_PACKETS = 100;

/**
 * Reads a video by ranges: its tracks, and their first and last packets as proof that it is whole. No picture is decoded.
 */
export async function inspectVideo({ source }: TaskContext, contentType: string): Promise<Accepted> {
  const isIso = ['video/mp4', 'video/quicktime'].includes(contentType);
  const layout = isIso ? await readIsoLayout(source) : null;
  if (isIso && !layout)
    throw notReadable('The video has no index (moov). It is incomplete or of an old format.');
  if (layout?.isTruncated || (!isIso && (await isMatroskaTruncated(source))))
    throw notReadable('The video is incomplete: its end is missing.');
  if (layout?.isForged) throw notReadable('The index of the video is wrong or forged.');
  const index = indexReader(source, layout?.index);
  const input = openVideo(index);
  try {
    const hasFields = layout ? layout.hasFields : await hasFieldsInMatroska(index);
    const facts = await factsOf(input, layout, hasFields);
    const aiMark = layout?.aiMark ?? null;
    return { kind: 'accepted', contentType, facts, aiMark, thumbnail: null, preview: null };
  } catch (error) {
    throw asRejection(error);
  } finally {
    input.dispose();
  }
}

/** An index in one piece is one request. @param known was read before */
function indexReader(source: Source, known?: IsoLayout['index']): RangedSource {
  const ahead = readAhead(source, INDEX_BLOCK_BYTES, KEPT_BLOCKS);
  const read = (start: number, end: number) => {
    if (known && start >= known.at && end <= known.at + known.bytes.length)
      return Promise.resolve(known.bytes.subarray(start - known.at, end - known.at));
    return end - start > INDEX_BLOCK_BYTES ? source.read(start, end) : ahead.read(start, end);
  };
  return { bytes: source.bytes, read };
}

async function factsOf(
  input: Input,
  layout: IsoLayout | null,
  hasFields: boolean | null,
): Promise<InspectedFacts> {
  const video = await input.getPrimaryVideoTrack();
  if (!video) throw notReadable('The file has no video track that can be read.');
  const audio = (await copiedSound(input))?.track ?? (await input.getPrimaryAudioTrack());
  const duration = await durationOf(input);
  // Matroska, and fragments over the budget, have no index of all packets: reading some at both ends reads much of the file.
  const hasIndex = layout !== null && duration !== null;
  if (hasIndex && !(await haveBothEnds([video, audio])))
    throw notReadable('The video is incomplete: packets of its index are missing.');
  const shown = await shownPicture(video);
  return {
    ...unknownFacts(),
    kind: 'video',
    ...shown,
    // Codecs can hold both fields in one picture, and containers can say nothing.
    isInterlaced: hasFields === true || (shown.isInterlaced ?? hasFields),
    // The only packet of a live recording states no duration.
    durationMs: duration ? Math.round(duration * 1_000) : null,
    frameRate: hasIndex ? await frameRateOf(video) : null,
    videoCodec: await codecOf(video),
    ...(await soundOf(audio)),
    indexFirst: layout?.indexFirst ?? null,
    hasEditLists: layout?.hasEditLists ?? null,
    hasCredentials: layout?.hasCredentials ?? null,
  };
}

async function haveBothEnds(tracks: readonly (InputVideoTrack | InputAudioTrack | null)[]): Promise<boolean> {
  for (const track of tracks) if (track && !(await hasBothEnds(track))) return false;
  return true;
}

async function codecOf(video: InputVideoTrack): Promise<string> {
  const codec = await video.getCodecParameterString();
  if (codec !== null) return codec;
  throw new FileIsRejected(
    rejected('media_type_not_supported', 'The codec of the video is not supported. Export it as H.264.'),
  );
}

async function soundOf(
  audio: InputAudioTrack | null,
): Promise<Pick<InspectedFacts, 'audioCodec' | 'audioChannels' | 'audioSampleRate'>> {
  if (!audio) return { audioCodec: null, audioChannels: null, audioSampleRate: null };
  return {
    audioCodec: await audio.getCodecParameterString(),
    audioChannels: await audio.getNumberOfChannels(),
    audioSampleRate: await audio.getSampleRate(),
  };
}

/** Seconds. A live recording (WebM of a browser, fragmented MP4) does not state it, and is read to its end. null: over the budget */
async function durationOf(input: Input): Promise<number | null> {
  const stated = await input.getDurationFromMetadata();
  if (stated !== null && stated > 0) return stated;
  try {
    return await input.computeDuration();
  } catch (error) {
    if (error instanceof ReadBudgetIsExceeded) return null;
    throw error;
  }
}

async function frameRateOf(video: InputVideoTrack): Promise<number | null> {
  const { averagePacketRate } = await video.computePacketStats(RATE_PACKETS);
  return plausibleFrameRate(averagePacketRate);
}

/** The demultiplexer reports forged and encrypted files as failed assertions. */
function asRejection(error: unknown): unknown {
  if (error instanceof FileIsRejected) return error;
  if (error instanceof ReadBudgetIsExceeded)
    return notReadable('The index of the video is too large or forged.');
  return notReadable('The video is damaged, encrypted or incomplete.');
}
