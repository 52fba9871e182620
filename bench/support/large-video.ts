import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  FilePathTarget,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';

const FRAMES_PER_SECOND = 30;
const AAC_FRAME_S = 1_024 / 48_000;
/** About 20 Mbit/s, as a phone records 1080p. */
const FRAME_BYTES = 85_000;
const SOUND_BYTES = 300;

/** Parameter sets of a 1920 × 1080 High profile stream, as an AVCDecoderConfigurationRecord (ISO/IEC 14496-15). */
const AVC = Buffer.from(
  '01640028ffe1001b67640028acd940780227e5c044000003000400000300c83c60c65801000668ebe3cb22c0fdf8f800',
  'hex',
);
/** AudioSpecificConfig of AAC-LC, 48 kHz, stereo. */
const AAC = Uint8Array.from([0x11, 0x90]);

/** Writes an MP4 of about `bytes` with its index at the end. Its pictures are no real ones. @returns its duration in seconds */
export async function writeLargeVideo(path: string, bytes: number): Promise<number> {
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: false }),
    target: new FilePathTarget(path),
  });
  const [video, audio] = [new EncodedVideoPacketSource('avc'), new EncodedAudioPacketSource('aac')];
  output.addVideoTrack(video, { frameRate: FRAMES_PER_SECOND });
  output.addAudioTrack(audio);
  await output.start();
  const picture = { codec: 'avc1.640028', codedWidth: 1920, codedHeight: 1080, description: AVC };
  const sound = { codec: 'mp4a.40.2', numberOfChannels: 2, sampleRate: 48_000, description: AAC };
  const [frame, silence] = [Buffer.alloc(FRAME_BYTES, 7), Buffer.alloc(SOUND_BYTES, 7)];
  const frames = Math.ceil(bytes / FRAME_BYTES);
  for (let index = 0, heard = 0; index < frames; index += 1) {
    const at = index / FRAMES_PER_SECOND;
    const kind = index % FRAMES_PER_SECOND === 0 ? 'key' : 'delta';
    await video.add(new EncodedPacket(frame, kind, at, 1 / FRAMES_PER_SECOND), { decoderConfig: picture });
    for (; heard * AAC_FRAME_S <= at; heard += 1)
      await audio.add(new EncodedPacket(silence, 'key', heard * AAC_FRAME_S, AAC_FRAME_S), {
        decoderConfig: sound,
      });
  }
  await output.finalize();
  return frames / FRAMES_PER_SECOND;
}
