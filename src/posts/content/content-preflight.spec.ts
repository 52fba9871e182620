import { type MediaFacts, type Platform, unknownMedia } from '#libs/content';
import { NO_CONTENT } from '../domain/writing.js';
import { blockersIn, preflight } from './content-preflight.js';

const file = (kind: 'image' | 'video', width: number, height: number): MediaFacts => ({
  ...unknownMedia(`${width}x${height}`),
  kind,
  width,
  height,
});
const image = (width: number, height: number) => file('image', width, height);
const found = (platform: 'instagram' | 'x', media: readonly MediaFacts[], options = {}) =>
  preflight({
    platform: platform as string as Platform,
    content: { ...NO_CONTENT, text: 'a', mediaIds: media.map(({ id }) => id), options },
    media,
    account: null,
  }).filter(({ ruleId }) => /cropped|unfit|credential/.test(ruleId));

describe('a picture with Content Credentials', () => {
  const signed: MediaFacts = {
    ...{ ...image(1_024, 1_024), contentType: 'image/png', bytes: 1_000_000 },
    ...{ hasCredentials: true, isPublishable: true },
  };
  const lost = (platform: 'instagram' | 'x', changes: Partial<MediaFacts> = {}) =>
    found(platform, [{ ...signed, ...changes }]).map(({ ruleId, severity }) => `${ruleId} ${severity}`);

  it('keeps them where it fits as it is, and is announced to lose them elsewhere', () => {
    expect(lost('x')).toEqual([]);
    expect(lost('instagram')).toEqual(['instagram.media.credential-lost warning']);
    const warning = ['x.media.credential-lost warning'];
    expect(lost('x', { width: 5_000, height: 5_000 })).toEqual(warning);
    expect(lost('x', { bytes: 6_000_000 })).toEqual(warning);
    expect(lost('x', { isPublishable: false })).toEqual(warning);
    expect(lost('x', { kind: 'video', contentType: 'video/mp4', isPublishable: null })).toEqual(warning);
  });

  it.each([false, null])('is not announced when it has none (%s)', (hasCredentials) => {
    expect(lost('instagram', { hasCredentials })).toEqual([]);
  });
});

describe('a picture that its network shows in part', () => {
  it('is announced with the size that it gets, and prevents nothing', () => {
    const findings = found('instagram', [image(320, 3_201)]);
    expect(findings).toEqual([
      {
        ruleId: 'instagram.media.cropped',
        severity: 'warning',
        message:
          'The picture of 320 × 3201 pixels becomes one of 320 × 400 pixels: 88 % of its height is cut off, around its focus point. Crop it to choose what is shown.',
        pointer: '#/mediaIds/0',
      },
    ]);
    expect(blockersIn(findings)).toEqual([]);
  });

  it('is also one that gets the ratio of the first file of a carousel', () => {
    const [cropped, ...others] = found('instagram', [
      image(1_000, 1_000),
      image(1_000, 1_000),
      image(1_400, 1_000),
    ]);
    expect(others).toEqual([]);
    expect(cropped).toMatchObject({
      pointer: '#/mediaIds/2',
      message: expect.stringContaining('becomes one of 1010 × 1000 pixels: 28 % of its width'),
    });
    const video = found('instagram', [image(1_000, 1_000), file('video', 1_080, 1_920)]);
    expect(video).toMatchObject([
      { pointer: '#/mediaIds/1', message: expect.stringContaining('1080 × 1080') },
    ]);
    expect(found('instagram', [file('video', 1_080, 1_080), file('video', 1_080, 1_080)])).toEqual([]);
  });

  it('is not one that is only scaled down, is in a story, or is of a network that crops nothing', () => {
    expect(found('instagram', [image(6_000, 4_000)])).toEqual([]);
    expect(found('instagram', [image(320, 3_201)], { format: 'story' })).toEqual([]);
    expect(found('x', [image(320, 3_201)])).toEqual([]);
    expect(found('instagram', [unknownMedia('gone')])).toEqual([]);
  });
});
