import { EncodedPacket } from 'mediabunny';
import { CannotRender } from '../domain/render.types.js';
import { type Shift, shiftToZero, type VisibleSpan, WHOLE } from '../domain/timeline.js';
import { audioPackets, openPictures, type PacketParts, type Pictures, take } from './packets.js';
import { silentPacket, type SilentPacket } from './silence.js';
import type { CopiedTracks } from './tracks.js';

/** Packets of both tracks with their times in the result; both start at 0. */
export interface Aligned {
  readonly pictures: AsyncGenerator<EncodedPacket, void>;
  readonly sounds: AsyncGenerator<EncodedPacket, void>;
}

/** The same packets for the same arguments. @param spans what edit lists show, by the id of the track. @throws CannotRender */
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
