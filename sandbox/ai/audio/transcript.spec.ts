import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import { transcribed } from './tones.js';

/** Two seconds of Opus. */
async function recorded(format: OutputFormat): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const audio = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(audio);
  await output.start();
  // RFC 7845, 5.1.
  const description = Buffer.from('4f707573486561640101000080bb0000000000', 'hex');
  const decoderConfig = { codec: 'opus', numberOfChannels: 1, sampleRate: 48_000, description };
  for (let index = 0; index < 100; index += 1)
    await audio.add(new EncodedPacket(Buffer.alloc(40, 0x78), 'key', index / 50, 1 / 50), { decoderConfig });
  await output.finalize();
  return Buffer.from(target.buffer as ArrayBuffer);
}

const halfOf = (whole: Buffer) => whole.subarray(0, whole.length / 2);

describe('the transcript of a recording', () => {
  it('knows the duration of a format without words', async () => {
    const heard = await transcribed(await recorded(new WebMOutputFormat()));
    expect(heard).toEqual({
      text: expect.stringMatching(/^\[audio of 2\.\d seconds\]$/),
      seconds: expect.any(Number),
    });
  });

  const kinds: [string, () => Promise<Buffer>][] = [
    ['WebM', () => recorded(new WebMOutputFormat())],
    ['Ogg', () => recorded(new OggOutputFormat())],
    ['MP4', () => recorded(new Mp4OutputFormat())],
  ];
  const junk = Buffer.from(Array.from({ length: 400 }, (_, at) => (at * 37) % 256));
  const damages: [string, (half: Buffer) => Buffer][] = [
    ['nothing', (half) => half],
    ['zeros', (half) => Buffer.concat([half, Buffer.alloc(half.length)])],
    ['junk', (half) => Buffer.concat([half, junk])],
  ];
  /** A thread starts within this; a parser that loops takes all of it. */
  const limits = { milliseconds: 1_500, megabytes: 256 };
  const damaged = kinds.flatMap(([kind, whole]) =>
    damages.map(([damage, done]) => [kind, damage, async () => done(halfOf(await whole()))] as const),
  );

  it.each(damaged)(
    'ends for half of a %s file and %s, while the event loop turns',
    async (_kind, _tail, file) => {
      const bytes = await file();
      let turns = 0;
      const turning = setInterval(() => (turns += 1), 1);
      const heard = await transcribed(bytes, limits).finally(() => clearInterval(turning));
      expect(heard?.seconds ?? 0).toBeLessThan(3);
      expect(turns).toBeGreaterThan(0);
    },
  );

  it.each([Buffer.alloc(0), Buffer.from('no audio at all'), Buffer.alloc(3_000)])(
    'is none of no audio',
    async (bytes) => {
      expect(await transcribed(bytes)).toBeUndefined();
    },
  );
});
