import { EncodedPacket } from 'mediabunny';
import { CannotRender } from '../domain/render.types.js';
import { type Shift, shiftToZero, type VisibleSpan, WHOLE } from '../domain/timeline.js';
import { audioPackets, openPictures, type PacketParts, type Pictures, take } from './packets.js';
import type { CopiedTracks } from './tracks.js';

interface SilentPacket {
  readonly data: Uint8Array;
  /** Seconds. */
  readonly duration: number;
}

interface Sound {
  /** Codec parameter string of RFC 6381. */
  readonly codec: string;
  readonly channels: number;
  readonly sampleRate: number;
}

/** Frames of AAC-LC without spectral data, for any sampling rate, by the number of channels. Source: hls.js, `aac-helper.ts`. */
const AAC: Readonly<Record<number, readonly number[]>> = {
  1: [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80],
  2: [0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80],
};
const AAC_LC = 'mp4a.40.2';
const AAC_SAMPLES = 1024;
/** A CELT frame of 20 ms of the whole band, stereo flag set: the packet that libopus sends for silence (RFC 6716, section 3.1). */
const OPUS = [0xfc, 0xff, 0xfe];

/** @returns null when no silent packet of the codec is known */
function silentPacket({ codec, channels, sampleRate }: Sound): SilentPacket | null {
  if (codec === 'opus' && channels <= 2) return { data: Uint8Array.from(OPUS), duration: 0.02 };
  const frame = codec === AAC_LC ? AAC[channels] : undefined;
  return frame ? { data: Uint8Array.from(frame), duration: AAC_SAMPLES / sampleRate } : null;
}

/** Packets of both tracks with their times in the result; both start at 0. */
export interface Aligned {
  readonly pictures: AsyncGenerator<EncodedPacket, void>;
  readonly sounds: AsyncGenerator<EncodedPacket, void>;
}

/** The same packets for the same arguments. @param spans what edit lists show, by the id of the track. */
export async function align(
  { video, audio }: CopiedTracks,
  spans: ReadonlyMap<number, VisibleSpan>,
  parts: PacketParts,
): Promise<Aligned> {
  const pictures = await openPictures(video.track, spans.get(video.track.id) ?? WHOLE, parts);
  const sounds = audio && openSounds(audio.track, spans.get(audio.track.id) ?? WHOLE, { pictures, parts });
  const sound = sounds && (await take(sounds));
  const silence = audio && sound ? await silenceOf(audio.track) : null;
  const shift = shiftToZero({
    video: pictures.first.timestamp,
    audio: sound?.timestamp ?? null,
    silence: silence?.duration ?? null,
  });
  if (shift === null) throw soundIsLate();
  return {
    pictures: shifted(pictures, shift.video),
    sounds: sounds && sound ? withSilence(sound, sounds, shift, silence) : nothing(),
  };
}

type AudioTrack = NonNullable<CopiedTracks['audio']>['track'];

/** The sound before the first picture of a cut video is cut with it. */
function openSounds(
  track: AudioTrack,
  span: VisibleSpan,
  { pictures: { isCut, first }, parts }: { readonly pictures: Pictures; readonly parts: PacketParts },
) {
  const from = isCut ? Math.max(span.from, first.timestamp) : span.from;
  return audioPackets(track, { ...span, from }, parts);
}

async function silenceOf(track: AudioTrack): Promise<SilentPacket | null> {
  return silentPacket({
    codec: (await track.getCodecParameterString()) ?? '',
    channels: await track.getNumberOfChannels(),
    sampleRate: await track.getSampleRate(),
  });
}

/** The first picture is shown from 0 until the second one. */
async function* shifted({ first, packets }: Pictures, shift: number): AsyncGenerator<EncodedPacket, void> {
  for await (const packet of packets) {
    const isFirst = packet.sequenceNumber === first.sequenceNumber;
    const timestamp = isFirst ? 0 : packet.timestamp + shift;
    const heldFor = isFirst ? Math.max(0, packet.timestamp + shift) : 0;
    yield packet.clone({ timestamp, duration: packet.duration + heldFor });
  }
}

async function* withSilence(
  first: EncodedPacket,
  rest: AsyncGenerator<EncodedPacket, void>,
  { audio: shift, silentPackets }: Shift,
  silence: SilentPacket | null,
): AsyncGenerator<EncodedPacket, void> {
  for (let number = 0; silence && number < silentPackets; number += 1)
    yield new EncodedPacket(silence.data, 'key', number * silence.duration, silence.duration);
  yield first.clone({ timestamp: first.timestamp + shift });
  for await (const packet of rest) yield packet.clone({ timestamp: packet.timestamp + shift });
}

// eslint-disable-next-line @typescript-eslint/require-await -- an empty generator has nothing to wait for
async function* nothing(): AsyncGenerator<EncodedPacket, void> {
  yield* [];
}

const soundIsLate = () =>
  new CannotRender(
    'needs_encoding',
    'The sound starts long after the picture, and silence needs encoding. Export the video again with AAC sound from its start.',
  );
