import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, Output, WebMOutputFormat } from 'mediabunny';
import { transcribed } from './transcript.js';

/** Two seconds of Opus in WebM. */
async function webm(): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const audio = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(audio);
  await output.start();
  const decoderConfig = { codec: 'opus', numberOfChannels: 1, sampleRate: 48_000 };
  for (let index = 0; index < 100; index += 1)
    await audio.add(new EncodedPacket(Buffer.alloc(40, 0x78), 'key', index / 50, 1 / 50), { decoderConfig });
  await output.finalize();
  return Buffer.from(target.buffer as ArrayBuffer);
}

describe('the transcript of a recording', () => {
  it('knows the duration of a format without words', async () => {
    const heard = await transcribed(await webm());
    expect(heard).toEqual({
      text: expect.stringMatching(/^\[audio of 2\.\d seconds\]$/),
      seconds: expect.any(Number),
    });
  });

  it.each([Buffer.alloc(0), Buffer.from('no audio at all'), Buffer.alloc(3_000)])(
    'is none of no audio',
    async (bytes) => {
      expect(await transcribed(bytes)).toBeUndefined();
    },
  );
});
