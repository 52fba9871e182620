import fc from 'fast-check';
import {
  flac,
  flacFrame,
  fragmentedMp4,
  mp4,
  oggOpus,
  oggPage,
  oggVorbis,
  vorbisHead,
  wav,
  webm,
} from '../../../../../test/support/recordings.js';
import { describeAudio } from './audio-file.js';

const id3 = (length: number) => Buffer.from([...Buffer.from('ID3\x04\0\0'), 0, 0, length >> 7, length & 127]);
const secondsOf = (bytes: Buffer) => describeAudio(bytes)?.maxSeconds ?? NaN;

describe('the longest duration of a recording', () => {
  it.each<[string, Buffer, number]>([
    ['FLAC', flac({ frames: 1_000 }), 500],
    ['FLAC that states a second', flac({ frames: 1_000, statedSamples: 8_192 }), 500],
    ['FLAC that names its rate in each frame', Buffer.concat([flac({ frames: 0 }), flacFrame(0xc9)]), 1],
    [
      'FLAC with rare codes',
      Buffer.concat([flac({ frames: 0 }), flacFrame(0x7d, 0, [255, 255, 0, 1])]),
      65_536,
    ],
    ['Opus in Ogg', oggOpus(10), 151],
    ['Vorbis in Ogg', oggVorbis(10), 81],
    ['AAC in MP4', mp4('mp4a', 1_000), 144],
    ['AAC in MP4 in fragments', fragmentedMp4('mp4a', 10, 100), 144],
    ['a codec that is not known in MP4', mp4('what', 1_000), 8_192],
    ['Opus in WebM', webm('A_OPUS', 1_000), 120],
    ['Opus in WebM with four packets in each block', webm('A_OPUS', 1_000, undefined, 0x82), 480],
    ['Vorbis in WebM', webm('A_VORBIS', 1_000, vorbisHead), 32],
    ['a codec that is not known in Matroska', webm('A_WHAT', 1_000), 8_192],
  ])('is that of the packets: %s', (_, bytes, seconds) => {
    expect(secondsOf(bytes)).toBe(seconds);
  });

  it.each<[string, Buffer, number]>([
    ['16 bits', wav(1, 16_000, 1, 16, 320_000), 11],
    ['a telephone call', wav(7, 8_000, 1, 16, 79_000), 10],
    ['one sample per second', wav(1, 1, 1, 8, 1_000), 1_044],
    ['GSM', wav(0x31, 8_000, 1, 0, 7_456), 10],
  ])('of WAV is by its format: %s', (_, bytes, seconds) => {
    expect(secondsOf(bytes)).toBe(seconds);
  });

  it('is not below 6 kbit/s in files with other data', () => {
    expect(secondsOf(Buffer.concat([mp4('mp4a', 1), Buffer.alloc(75_000)]))).toBe(101);
    expect(secondsOf(Buffer.concat([Buffer.from('\xff\xfb', 'latin1'), Buffer.alloc(74_998)]))).toBe(100);
  });

  it.each<[string, Buffer]>([
    ['FLAC without frames', flac({ frames: 0, statedSamples: 8_000 })],
    ['Ogg without pages', Buffer.concat([Buffer.from('OggS'), Buffer.alloc(20)])],
    ['more packets in Ogg than bytes', Buffer.alloc(2_700, oggPage([]).fill(255, 26))],
    ['MP4 without sound', mp4('avc1', 1_000)],
    ['MP4 without description', mp4('mp4a', 0)],
    ['WebM without sound', webm('V_VP9', 1_000)],
    ['WAV with an unknown format', wav(0x704f, 8_000, 1, 16, 1_000)],
    ['WAV with a rate of 0', wav(1, 0, 1, 16, 1_000)],
    ['GSM with a rate of 1', wav(0x31, 1, 1, 0, 1_000)],
    ['WAV without format', Buffer.from('RIFF\0\0\0\0WAVEdata\0\0\0\0')],
  ])('is a second for each byte where it is not readable: %s', (_, bytes) => {
    expect(secondsOf(bytes)).toBe(bytes.length);
  });

  it('has an end that fits the columns', () => {
    expect(secondsOf(mp4('what', 0xffff_ffff))).toBe(1_000_000_000);
  });

  it('refuses another format behind an ID3 tag, which decoders skip', () => {
    const tagged = (bytes: Buffer) =>
      Buffer.concat([id3(200), Buffer.alloc(200), id3(3), Buffer.alloc(3), bytes]);
    expect(describeAudio(tagged(flac({ frames: 1 })))).toBeNull();
    expect(describeAudio(tagged(Buffer.from('\xff\xfb', 'latin1')))?.mediaType).toBe('audio/mpeg');
  });

  it('is read of damaged files without an error', () => {
    const whole = [
      flac({ frames: 20 }),
      ...[oggOpus(1), oggVorbis(1), mp4('mp4a', 9), fragmentedMp4('Opus', 2, 9)],
      ...[webm('A_OPUS', 20), webm('A_VORBIS', 2, vorbisHead), wav(1, 16_000, 1, 16, 100)],
    ];
    const damaged = fc
      .tuple(
        fc.constantFrom(...whole),
        fc.nat(),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 20 }),
      )
      .map(([bytes, length, changes]) => {
        const copy = Buffer.from(bytes.subarray(0, 12 + (length % bytes.length)));
        for (const [at, value] of changes) copy[12 + (at % copy.length)] = value;
        return copy;
      });
    const random = fc
      .tuple(fc.constantFrom(...whole), fc.uint8Array({ maxLength: 300 }))
      .map(([bytes, rest]) => Buffer.concat([bytes.subarray(0, 12), rest]));
    fc.assert(
      fc.property(fc.oneof(damaged, random), (bytes) => {
        const seconds = secondsOf(bytes);
        return Number.isInteger(seconds) && seconds >= 1 && seconds <= 1_000_000_000;
      }),
      { seed: 20_260_101, numRuns: 5_000 },
    );
  });
});
