import { type MediaFacts, unknownMedia } from '#libs/content';
import { mediaFindings, type MediaLimits } from './media-rules.js';
import { unsupportedOptions } from './content-rules.js';

const network = { platform: 'somewhere', displayName: 'Somewhere' };
const limits: MediaLimits = {
  kinds: {
    image: { max: 4 },
    video: {
      max: 1,
      maxBytes: 500_000_000,
      minSide: 100,
      maxLongSide: 1_920,
      maxShortSide: 1_080,
      ratio: { min: 0.5, max: 2 },
      minMs: 3_000,
      maxMs: 900_000,
      maxFrameRate: 60,
      videoCodecs: { accepted: /^avc1\b/, names: 'H.264' },
      maxAudioChannels: 2,
    },
  },
  min: 0,
  max: 4,
  mixed: false,
  altText: { kinds: ['image'], max: 10 },
  aiFlag: ['video'],
};
const file = (more: Partial<MediaFacts>): MediaFacts => ({ ...unknownMedia('m'), ...more });
const image = (more: Partial<MediaFacts> = {}) => file({ kind: 'image', ...more });
const video = (more: Partial<MediaFacts> = {}) => file({ kind: 'video', ...more });
const found = (media: MediaFacts[], of = limits) =>
  mediaFindings(network, of, media).map(
    ({ ruleId, pointer }) => `${ruleId.replace('somewhere.media.', '')} ${pointer}`,
  );

describe('limits of files as data', () => {
  it.each([
    [1, 'Somewhere takes at most 1 file in a post.'],
    [4, 'Somewhere takes at most 4 files in a post.'],
  ])('say that at most %d may be sent', (max, message) => {
    const findings = mediaFindings(
      network,
      { ...limits, max },
      Array.from({ length: 5 }, () => image()),
    );
    expect(findings.find(({ ruleId }) => ruleId.endsWith('.too-many'))?.message).toBe(message);
  });

  it.each<[string, MediaFacts[], string[]]>([
    ['a file of which nothing is known', [file({})], []],
    ['a video without facts', [video()], []],
    ['four images', [image(), image(), image(), image()], []],
    [
      'a video with VP8, which the network refuses',
      [video({ videoCodec: 'vp8' })],
      ['video-codec #/mediaIds/0'],
    ],
    ['a video with Vorbis', [video({ audioCodec: 'vorbis' })], ['sound-not-copied #/mediaIds/0']],
    ['a video with MP3', [video({ audioCodec: 'mp4a.40.34' })], ['sound-not-copied #/mediaIds/0']],
    ['a video with AC-3', [video({ audioCodec: 'ac-3' })], ['sound-not-copied #/mediaIds/0']],
    ['five images', [image(), image(), image(), image(), image()], ['too-many #/mediaIds']],
    ['two videos', [video(), video()], ['too-many-videos #/mediaIds']],
    ['an image and a video', [image(), video()], ['mixed #/mediaIds']],
    ['an animation', [image(), file({ kind: 'animation' })], ['kind #/mediaIds/1', 'mixed #/mediaIds']],
    ['the largest video', [video({ bytes: 500_000_000 })], []],
    ['a larger video', [video({ bytes: 500_000_001 })], ['video-bytes #/mediaIds/0']],
    ['a tiny video', [video({ width: 99, height: 150 })], ['video-too-small #/mediaIds/0']],
    ['a large upright video', [video({ width: 1_081, height: 1_921 })], ['video-size #/mediaIds/0']],
    ['a narrow video', [video({ width: 200, height: 500 })], ['video-ratio #/mediaIds/0']],
    ['a wide video', [video({ width: 500, height: 200 })], ['video-ratio #/mediaIds/0']],
    ['a short video', [video({ durationMs: 2_999 })], ['video-too-short #/mediaIds/0']],
    ['a long video', [video({ durationMs: 900_001 })], ['video-too-long #/mediaIds/0']],
    ['59.94 and a little more frames', [video({ frameRate: 60.4 })], []],
    ['120 frames', [video({ frameRate: 120 })], ['video-frame-rate #/mediaIds/0']],
    ['another codec', [video({ videoCodec: 'vp09.00.10.08' })], ['video-codec #/mediaIds/0']],
    ['surround sound', [video({ audioChannels: 6 })], ['video-audio-channels #/mediaIds/0']],
    ['a long alt text', [image({ altText: '12345678901' })], ['alt-text-cut #/mediaIds/0']],
    ['the alt text of a video', [video({ altText: 'A dog.' })], ['alt-text-unsupported #/mediaIds/0']],
  ])('%s', (_, media, expected) => {
    expect(found(media)).toEqual(expected);
  });

  it.each([
    ['generated', 'image', ['somewhere.media.ai-unflagged warning #/mediaIds/0']],
    ['composite', 'image', ['somewhere.media.ai-unflagged warning #/mediaIds/0']],
    ['generated', 'video', []],
    ['none', 'image', []],
    [null, 'image', []],
  ] as const)(
    'warns of a file that a model made where the network has no flag: %s %s',
    (aiMark, kind, found) => {
      const findings = mediaFindings(network, limits, [file({ kind, aiMark })]);
      expect(findings.map(({ ruleId, severity, pointer }) => `${ruleId} ${severity} ${pointer}`)).toEqual(
        found,
      );
    },
  );

  it('refuse a codec that the network takes and that cannot be copied into its format', () => {
    const any = { ...limits, kinds: { video: { max: 1 } } };
    const of = (videoCodec: string) => found([video({ videoCodec, audioCodec: 'opus' })], any);
    expect([of('vp09.00.10.08'), of('hvc1.1.6.L93.B0'), of('av01.0.04M.08')]).toEqual([[], [], []]);
    expect(of('vp8')).toEqual(['video-not-copied #/mediaIds/0']);
  });

  it('refuse another chroma subsampling than 4:2:0 where the network says so', () => {
    const only420 = { ...limits, kinds: { video: { max: 1, onlyChroma420: true } } } as const;
    const any = { ...limits, kinds: { video: { max: 1 } } };
    for (const videoCodec of ['avc1.f4001f', 'avc1.7a0028', 'vp09.01.10.08', 'av01.1.04M.08']) {
      expect(found([video({ videoCodec })], only420)).toEqual(['video-chroma #/mediaIds/0']);
      expect(found([video({ videoCodec })], any)).toEqual([]);
    }
    for (const videoCodec of ['avc1.64001f', 'hvc1.2.4.L120.B0', 'vp09.02.10.10', 'av01.0.04M.10'])
      expect(found([video({ videoCodec })], only420)).toEqual([]);
  });

  it('refuse sound of a higher rate, and warn of fields, where the network says so', () => {
    const strict = {
      ...limits,
      kinds: { video: { max: 1, maxSampleRate: 48_000, onlyProgressive: true } },
    } as const;
    const any = { ...limits, kinds: { video: { max: 1 } } };
    const given = video({ audioSampleRate: 96_000, isInterlaced: true });
    const findings = mediaFindings(network, strict, [given]);
    expect(findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warning: Somewhere takes progressive videos only, and may refuse this one, which is interlaced. Export it as progressive.',
      'error: Somewhere takes sound of at most 48 kHz. Convert the video.',
    ]);
    expect(found([given], any)).toEqual([]);
    expect(found([video({ audioSampleRate: 48_000, isInterlaced: false })], strict)).toEqual([]);
  });

  it('can require a file', () => {
    expect(found([], { ...limits, min: 1 })).toEqual(['required #/mediaIds']);
    expect(found([image()], { ...limits, min: 1 })).toEqual([]);
  });

  it('are told in sentences', () => {
    const messages = mediaFindings(network, limits, [
      video({ bytes: 6e8, durationMs: 1, width: 500, height: 200 }),
    ]);
    expect(messages.map(({ message }) => message)).toEqual([
      'Somewhere takes videos of at most 500 MB. Use a smaller one.',
      'Somewhere takes videos with an aspect ratio (width : height) from 1:2 to 2:1. Crop the file.',
      'Somewhere takes videos of at least 3 seconds. Use a longer one.',
    ]);
  });
});

describe('options that a network does not have', () => {
  it('are findings, one for each that was chosen', () => {
    const options = { privacy: 'private', madeWithAi: true, tags: ['a'] } as const;
    expect(unsupportedOptions(network, options, ['madeWithAi']).map(({ ruleId }) => ruleId)).toEqual([
      'somewhere.options.privacy',
      'somewhere.options.tags',
    ]);
  });

  it('may state the usual case', () => {
    const options = { madeWithAi: false, tags: [], format: 'feed', disallow: [] } as const;
    expect(unsupportedOptions(network, options, [])).toEqual([]);
  });
});
