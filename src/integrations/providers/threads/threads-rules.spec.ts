import { type MediaFacts, type PostOptions, type Target, unknownMedia } from '#libs/content';
import { preflight, renditions, textLength, lengthOf } from './threads-rules.js';

interface More {
  readonly link?: string;
  readonly media?: readonly MediaFacts[];
  readonly options?: PostOptions;
  readonly target?: Target;
}
const check = (text: string, { link, media = [], options = {}, target = {} }: More = {}) => ({
  text,
  link,
  media,
  options,
  target,
  account: null,
});
const rules = (text: string, more?: More) => preflight(check(text, more)).map(({ ruleId }) => ruleId);
const image = { ...unknownMedia('i'), kind: 'image' as const };
const video = (more: Partial<MediaFacts> = {}) => ({ ...unknownMedia('v'), kind: 'video' as const, ...more });

describe('the text of a post on Threads', () => {
  it.each([
    ['letters', 'a'.repeat(500), 500],
    ['Han characters', '日本', 2],
    ['an emoji of four bytes', '🎉', 4],
    ['a family of seven code points', '👨‍👩‍👧‍👦', 25],
    ['a flag', '🇩🇪', 8],
    ['a skin tone', '👍🏽', 8],
    ['digits and letters', 'a1#*', 4],
    ['a heart with its selector', '❤️', 6],
    ['a decomposed letter', 'e\u0301', 2],
  ])('counts %s', (_, text, length) => expect(lengthOf(text)).toBe(length));

  it.each([
    ['500 letters', 'a'.repeat(500), undefined, []],
    ['501 letters', 'a'.repeat(501), undefined, ['threads.text.too-long']],
    ['125 emoji', '🎉'.repeat(125), undefined, []],
    ['126 emoji', '🎉'.repeat(126), undefined, ['threads.text.too-long']],
    ['nothing', ' \n', undefined, ['threads.text.empty']],
    ['a picture without text', '', { media: [image] }, []],
    ['a link without text', '', { link: 'https://example.com' }, []],
    ['a link as an attachment', 'a'.repeat(500), { link: 'https://example.com' }, []],
    [
      'a link in the text of a picture',
      'a'.repeat(490),
      { link: 'https://example.com', media: [image] },
      ['threads.text.too-long'],
    ],
    [
      'five links',
      'https://a.b/1 https://a.b/2 https://a.b/3 https://a.b/4 https://a.b/4',
      { link: 'https://a.b/5' },
      [],
    ],
    [
      'six links',
      'https://a.b/1 https://a.b/2 https://a.b/3 https://a.b/4 https://a.b/5',
      { link: 'https://a.b/6' },
      ['threads.text.links'],
    ],
    ['a megabyte', 'a'.repeat(1_000_000), undefined, ['threads.text.too-long']],
  ] as const)('judges %s', (_, text, more, expected) => expect(rules(text, more)).toEqual(expected));

  it('tells its length', () => {
    expect(textLength(check('🎉a', { link: 'https://example.com' }))).toEqual({ length: 5, limit: 500 });
  });
});

describe('other rules of Threads', () => {
  it.each([
    ['21 files', { media: Array.from({ length: 21 }, () => image) }, 'threads.media.too-many'],
    ['an animation', { media: [{ ...unknownMedia('a'), kind: 'animation' as const }] }, 'threads.media.kind'],
    ['a long video', { media: [video({ durationMs: 300_001 })] }, 'threads.media.video-too-long'],
    ['a wide video', { media: [video({ width: 1_921, height: 1_080 })] }, 'threads.media.video-width'],
    ['a video of few frames', { media: [video({ frameRate: 12 })] }, 'threads.media.video-frame-rate'],
    ['another codec', { media: [video({ videoCodec: 'vp09.00.10.08' })] }, 'threads.media.video-codec'],
    ['a mark for AI', { options: { madeWithAi: true } }, 'threads.options.madeWithAi'],
    ['a page', { target: { pageId: '1' } }, 'threads.target.unsupported'],
  ])('%s', (_, more, expected) => expect(rules('Text', more)).toEqual([expected]));

  it('takes pictures and videos together, and describes both', () => {
    expect(rules('', { media: [{ ...image, altText: 'A roof' }, video({ altText: 'Rain' })] })).toEqual([]);
  });

  it('makes JPEG or PNG of pictures, MP4 of videos, and nothing of animations', () => {
    const media = [image, video(), { ...unknownMedia('a'), kind: 'animation' as const }, unknownMedia('u')];
    expect(renditions(check('', { media })).map((spec) => spec?.kind ?? null)).toEqual([
      'image',
      'video',
      null,
      null,
    ]);
  });
});
