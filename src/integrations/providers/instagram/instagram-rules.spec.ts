import { type MediaFacts, type PostOptions, type Target, unknownMedia } from '#libs/content';
import { preflight, textLength } from './instagram-rules.js';
import { renditions } from './instagram-limits.js';

const image = (more: Partial<MediaFacts> = {}) => ({ ...unknownMedia('i'), kind: 'image' as const, ...more });
const video = (more: Partial<MediaFacts> = {}) => ({ ...unknownMedia('v'), kind: 'video' as const, ...more });

interface More {
  readonly link?: string;
  readonly media?: readonly MediaFacts[];
  readonly options?: PostOptions;
  readonly target?: Target;
}
const check = (text: string, { link, media = [image()], options = {}, target = {} }: More = {}) => ({
  text,
  link,
  media,
  options,
  target,
  account: null,
});
const rules = (text: string, more?: More) => preflight(check(text, more)).map(({ ruleId }) => ruleId);

describe('the caption of a post on Instagram', () => {
  it.each([
    ['2200 letters', 'a'.repeat(2_200), []],
    ['2201 letters', 'a'.repeat(2_201), ['instagram.text.too-long']],
    ['2200 emoji', '🎉'.repeat(2_200), ['instagram.text.long']],
    ['30 hashtags', '#ab '.repeat(30), []],
    ['31 hashtags', '#ab '.repeat(31), ['instagram.text.hashtags']],
    ['hashtags of other scripts', '#日本 '.repeat(31), ['instagram.text.hashtags']],
    ['numbers after #', '#1 '.repeat(31), []],
    ['20 mentions', '@acme.co '.repeat(20), []],
    ['21 mentions', '@acme.co '.repeat(21), ['instagram.text.mentions']],
    ['addresses of mail', 'ada@acme.co '.repeat(21), []],
    ['nothing', '', []],
    ['a megabyte', '#a'.repeat(500_000), ['instagram.text.too-long']],
  ])('%s', (_, text, expected) => expect(rules(text)).toEqual(expected));

  it('counts the link, which cannot be clicked', () => {
    const link = 'https://example.com';
    expect(rules('a'.repeat(2_190), { link })).toEqual(['instagram.text.too-long', 'instagram.link.plain']);
    expect(textLength(check('ab', { link }))).toEqual({ length: 23, limit: 2_200 });
  });

  it('is not shown with a story', () => {
    expect(rules('Text', { options: { format: 'story' } })).toEqual(['instagram.text.not-shown']);
    expect(textLength(check('Text', { options: { format: 'story' } })).length).toBe(0);
  });
});

describe('files of a post on Instagram', () => {
  const story: PostOptions = { format: 'story' };
  const reel: PostOptions = { format: 'reel' };
  it.each([
    ['none', { media: [] }, ['instagram.media.required']],
    ['ten together', { media: [video(), ...Array.from({ length: 9 }, () => image())] }, []],
    ['eleven', { media: Array.from({ length: 11 }, () => image()) }, ['instagram.media.too-many']],
    [
      'an animation',
      { media: [{ ...unknownMedia('a'), kind: 'animation' as const }] },
      ['instagram.media.kind'],
    ],
    ['a reel of 15 minutes', { media: [video({ durationMs: 900_000 })] }, []],
    ['a longer reel', { media: [video({ durationMs: 900_001 })] }, ['instagram.media.video-too-long']],
    ['a short reel', { media: [video({ durationMs: 2_999 })] }, ['instagram.media.video-too-short']],
    ['a large reel', { media: [video({ bytes: 300_000_001 })] }, ['instagram.media.video-bytes']],
    ['a wide reel', { media: [video({ width: 1_921, height: 1_080 })] }, ['instagram.media.video-width']],
    ['a tall reel', { media: [video({ width: 1_920, height: 3_412 })] }, []],
    ['another codec', { media: [video({ videoCodec: 'av01.0.04M.08' })] }, ['instagram.media.video-codec']],
    ['H.265', { media: [video({ videoCodec: 'hvc1.1.6.L93.B0' })] }, []],
    ['a story of a minute', { options: story, media: [video({ durationMs: 60_000 })] }, []],
    [
      'a longer story',
      { options: story, media: [video({ durationMs: 60_001 })] },
      ['instagram.media.video-too-long'],
    ],
    [
      'a large story',
      { options: story, media: [video({ bytes: 100_000_001 })] },
      ['instagram.media.video-bytes'],
    ],
    ['two for a story', { options: story, media: [image(), image()] }, ['instagram.media.too-many']],
    ['a picture as a reel', { options: reel }, ['instagram.options.format']],
    ['two videos as a reel', { options: reel, media: [video(), video()] }, ['instagram.options.format']],
    ['a video as a reel', { options: reel, media: [video()] }, []],
    [
      'a description of a reel',
      { media: [video({ altText: 'Rain' })] },
      ['instagram.media.alt-text-unsupported'],
    ],
    [
      'a long description',
      { media: [image({ altText: 'x'.repeat(1_001) })] },
      ['instagram.media.alt-text-cut'],
    ],
    ['a cover', { media: [video({ durationMs: 9_000 })], options: { coverAtMs: 9_000 } }, []],
    [
      'a cover after the end',
      { media: [video({ durationMs: 9_000 })], options: { coverAtMs: 9_001 } },
      ['instagram.options.cover'],
    ],
    ['a cover of a picture', { options: { coverAtMs: 1 } }, ['instagram.options.cover']],
    [
      'a cover of a story',
      { media: [video()], options: { ...story, coverAtMs: 1 } },
      ['instagram.options.cover'],
    ],
    ['a mark for AI', { options: { madeWithAi: true } }, []],
    ['a privacy setting', { options: { privacy: 'private' as const } }, ['instagram.options.privacy']],
    ['a page', { target: { pageId: '1' } }, ['instagram.target.unsupported']],
  ] as const)('%s', (_, more, expected) => expect(rules('', more)).toEqual(expected));
});

describe('renditions for Instagram', () => {
  const ratios = (media: readonly MediaFacts[], options: PostOptions = {}) =>
    renditions(check('', { media, options })).map((spec) =>
      spec?.kind === 'image' ? spec.ratio && [spec.ratio.min, spec.ratio.max] : spec,
    );

  it('are JPEG within the ratios of the feed', () => {
    const [spec] = renditions(check(''));
    expect(spec).toMatchObject({ formats: ['jpeg'], maxBytes: 8_000_000, maxWidth: 1_440, maxHeight: 1_800 });
    expect(ratios([image()])).toEqual([[0.8, 1.91]]);
  });

  it.each([
    ['a square', image({ width: 1_000, height: 1_000 }), 0.99, 1.01],
    ['a tall picture', image({ width: 1_000, height: 9_000 }), 0.8, 0.808],
    ['a wide picture', image({ width: 9_000, height: 1_000 }), 1.8909, 1.91],
    ['a vertical video', video({ width: 1_080, height: 1_920 }), 0.8, 0.808],
    ['a picture of unknown size', image(), 0.8, 1.91],
  ])('have about the ratio of the first file in a carousel: %s', (_, first, min, max) => {
    const [own, second] = ratios([first, image()]);
    if (first.kind === 'image') expect(own).toEqual([0.8, 1.91]);
    expect((second as number[])[0]).toBeCloseTo(min, 6);
    expect((second as number[])[1]).toBeCloseTo(max, 6);
  });

  it('keep the ratio of a story, and have its size', () => {
    expect(ratios([image({ width: 1_080, height: 1_920 })], { format: 'story' })).toEqual([null]);
    expect(renditions(check('', { media: [video()], options: { format: 'story' } }))).toEqual([
      { kind: 'video', container: 'mp4', maxBytes: 100_000_000 },
    ]);
  });
});
