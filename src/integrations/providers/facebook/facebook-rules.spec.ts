import { type MediaFacts, unknownMedia } from '#libs/content';
import type { ContentToCheck } from '../../provider.types.js';
import { preflight, renditions, textLength } from './facebook-rules.js';

const content = (more: Partial<ContentToCheck> = {}): ContentToCheck => ({
  text: 'Hello',
  target: {},
  options: {},
  media: [],
  account: null,
  ...more,
});
const rules = (more: Partial<ContentToCheck>, severity = 'error') =>
  preflight(content(more))
    .filter((finding) => finding.severity === severity)
    .map(({ ruleId, pointer }) => `${ruleId} ${pointer}`);
const image: MediaFacts = { ...unknownMedia('1'), kind: 'image', width: 100, height: 100 };
const video: MediaFacts = {
  ...unknownMedia('2'),
  kind: 'video',
  width: 1080,
  height: 1920,
  durationMs: 20_000,
  frameRate: 30,
  videoCodec: 'avc1.64001f',
  audioCodec: 'mp4a.40.2',
};
const reel = (more: Partial<MediaFacts>) =>
  rules({ options: { format: 'reel' }, media: [{ ...video, ...more }] });

describe('the rules of Facebook', () => {
  it('want text, a link or a file', () => {
    expect(rules({ text: ' ' })).toEqual(['facebook.text.empty #/text']);
    expect(rules({ text: '', link: 'https://example.com' })).toEqual([]);
    expect(rules({ text: '', media: [image] })).toEqual([]);
  });

  it('count characters, and the link of a post with files', () => {
    expect(rules({ text: '🌞'.repeat(63_206) })).toEqual([]);
    expect(rules({ text: '🌞'.repeat(63_207) })).toEqual(['facebook.text.too-long #/text']);
    const link = 'https://example.com';
    expect(textLength(content({ link }))).toEqual({ length: 5 + 2 + link.length, limit: 63_206 });
  });

  it('refuse groups and organizations with a reason, and take pages', () => {
    expect(rules({ target: { pageId: '1' } })).toEqual([]);
    expect(rules({ target: { groupId: '1' } })).toEqual(['facebook.target.group #/target/groupId']);
    expect(preflight(content({ target: { groupId: '1' } }))[0]?.message).toMatch(
      /no longer lets services publish/,
    );
    expect(rules({ target: { organizationId: '1' } })).toEqual([
      'facebook.target.unsupported #/target/organizationId',
    ]);
  });

  it('refuse options that Facebook does not have', () => {
    expect(rules({ options: { privacy: 'public', format: 'feed', madeWithAi: false } })).toEqual([]);
    expect(rules({ options: { privacy: 'friends' } })).toEqual([
      'facebook.options.privacy #/options/privacy',
    ]);
    expect(rules({ options: { madeWithAi: true } })).toEqual([
      'facebook.options.madeWithAi #/options/madeWithAi',
    ]);
    expect(rules({ options: { format: 'story' }, media: [image] })).toEqual([
      'facebook.options.format #/options/format',
    ]);
    expect(rules({ options: { format: 'reel', madeWithAi: true }, media: [video] })).toEqual([]);
  });

  it('take up to ten photos or one video', () => {
    expect(rules({ media: Array.from({ length: 10 }, () => image) })).toEqual([]);
    expect(rules({ media: Array.from({ length: 11 }, () => image) })).toEqual([
      'facebook.media.too-many #/mediaIds',
    ]);
    expect(rules({ media: [image, video] })).toEqual(['facebook.media.mixed #/mediaIds']);
    expect(rules({ media: [video, video] })).toEqual(['facebook.media.too-many-videos #/mediaIds']);
    expect(rules({ media: [{ ...image, kind: 'animation' }] })).toEqual(['facebook.media.kind #/mediaIds/0']);
  });

  it('want of a reel one upright video of 3 to 90 seconds', () => {
    expect(reel({})).toEqual([]);
    expect(reel({ durationMs: 2_999 })).toEqual(['facebook.media.video-too-short #/mediaIds/0']);
    expect(reel({ durationMs: 90_001 })).toEqual(['facebook.media.video-too-long #/mediaIds/0']);
    expect(reel({ width: 1920, height: 1080 })).toEqual(['facebook.media.video-ratio #/mediaIds/0']);
    expect(reel({ width: 500, height: 889 })).toEqual(['facebook.media.video-too-small #/mediaIds/0']);
    expect(reel({ frameRate: 23 })).toEqual(['facebook.media.video-frame-rate #/mediaIds/0']);
    expect(reel({ videoCodec: 'vp8' })).toEqual(['facebook.media.video-codec #/mediaIds/0']);
    expect(rules({ options: { format: 'reel' } })).toEqual(['facebook.media.required #/mediaIds']);
    expect(rules({ options: { format: 'reel' }, media: [image] })).toEqual([
      'facebook.media.kind #/mediaIds/0',
    ]);
  });

  it('tell which alt texts are not shown', () => {
    const altText = 'A café';
    expect(rules({ media: [{ ...image, altText }] }, 'warning')).toEqual([]);
    expect(rules({ media: [{ ...video, altText }] }, 'warning')).toEqual([
      'facebook.media.alt-text-unsupported #/mediaIds/0',
    ]);
  });

  it('ask for renditions that Facebook takes', () => {
    const media = [image, video, { ...image, kind: 'animation' as const }, unknownMedia('3')];
    expect(renditions(content({ media })).map((spec) => spec?.kind ?? null)).toEqual([
      'image',
      'video',
      null,
      null,
    ]);
  });
});
