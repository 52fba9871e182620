import { type MediaFacts, type PostOptions, unknownMedia } from '#libs/content';
import type { ContentToCheck } from '../../provider.types.js';
import { preflight } from './tiktok-rules.js';

const video: MediaFacts = {
  ...unknownMedia('v'),
  kind: 'video',
  width: 1_080,
  height: 1_920,
  durationMs: 9_000,
  frameRate: 30,
  videoCodec: 'avc1.640028',
};
const photo: MediaFacts = { ...unknownMedia('p'), kind: 'image', width: 1_080, height: 1_350 };
const facts = { privacies: ['public', 'friends', 'private'], maxVideoSeconds: 180 };

const content = (changes: Partial<ContentToCheck> = {}): ContentToCheck => ({
  text: 'A text',
  target: {},
  options: { privacy: 'public' },
  media: [video],
  account: { accountId: '1', username: 'acme', facts },
  ...changes,
});
const rules = (changes: Partial<ContentToCheck>, severity = 'error') =>
  preflight(content(changes))
    .filter((finding) => finding.severity === severity)
    .map(({ ruleId }) => ruleId);
const withOptions = (options: PostOptions, media: readonly MediaFacts[] = [video]) =>
  rules({ options, media });

describe('rules of TikTok', () => {
  it('have nothing against a video and against photos', () => {
    expect(preflight(content())).toEqual([]);
    expect(preflight(content({ media: Array.from({ length: 35 }, () => photo) }))).toEqual([]);
  });

  it.each([
    ['a caption in UTF-16 units', { text: `${'a'.repeat(2_199)}😀` }, 'tiktok.text.too-long'],
    [
      'a link below the text',
      { text: 'a'.repeat(2_190), link: 'https://example.com/' },
      'tiktok.text.too-long',
    ],
    ['the description of photos', { text: 'a'.repeat(4_001), media: [photo] }, 'tiktok.text.too-long'],
    ['the title of photos', { title: 'a'.repeat(91), media: [photo] }, 'tiktok.title.too-long'],
    ['a post without files', { media: [] }, 'tiktok.media.required'],
    ['36 photos', { media: Array.from({ length: 36 }, () => photo) }, 'tiktok.media.too-many'],
    ['two videos', { media: [video, video] }, 'tiktok.media.too-many-videos'],
    ['photos with a video', { media: [photo, video] }, 'tiktok.media.mixed'],
    ['an animation', { media: [{ ...photo, kind: 'animation' as const }] }, 'tiktok.media.kind'],
    ['a small video', { media: [{ ...video, width: 320 }] }, 'tiktok.media.video-too-small'],
    [
      'a video of 22 frames a second',
      { media: [{ ...video, frameRate: 22 }] },
      'tiktok.media.video-frame-rate',
    ],
    ['a video in AV1', { media: [{ ...video, videoCodec: 'av01.0.05M.08' }] }, 'tiktok.media.video-codec'],
    [
      'a video above the account’s limit',
      { media: [{ ...video, durationMs: 180_001 }] },
      'tiktok.media.video-too-long',
    ],
    ['a page', { target: { pageId: '1' } }, 'tiktok.target.unsupported'],
  ])('check %s', (_what, changes, rule) => {
    expect(rules(changes)).toContain(rule);
  });

  it('take the longest text exactly', () => {
    expect(rules({ text: 'a'.repeat(2_200) })).toEqual([]);
    expect(rules({ text: 'a'.repeat(4_000), media: [photo] })).toEqual([]);
  });

  it('require a privacy that the account offers', () => {
    expect(withOptions({})).toEqual(['tiktok.options.privacy-required']);
    expect(withOptions({ privacy: 'followers' })).toEqual(['tiktok.options.privacy']);
    expect(withOptions({ privacy: 'unlisted' })).toEqual(['tiktok.options.privacy']);
    expect(rules({ options: { privacy: 'followers' }, account: null })).toEqual([]);
  });

  it('name the privacies to choose from', () => {
    expect(preflight(content({ options: {} }))[0]?.message).toBe(
      'TikTok requires a choice of who sees the post. Set privacy to public, friends or private.',
    );
  });

  it('take private posts only where TikTok has not audited this service', () => {
    const account = { accountId: '1', username: 'acme', facts: { ...facts, onlyPrivate: true } };
    expect(rules({ account })).toEqual(['tiktok.options.privacy']);
    expect(rules({ account, options: { privacy: 'private' } })).toEqual([]);
    expect(rules({ account, options: { privacy: 'private' } }, 'warning')).toEqual([
      'tiktok.options.private-account',
    ]);
  });

  it('refuse options that TikTok does not have for the kind of files', () => {
    const privacy = 'public';
    expect(withOptions({ privacy, madeForKids: true, tags: ['a'] })).toEqual([
      'tiktok.options.madeForKids',
      'tiktok.options.tags',
    ]);
    expect(withOptions({ privacy, madeWithAi: true, disallow: ['duets'], coverAtMs: 9_000 })).toEqual([]);
    expect(withOptions({ privacy, madeWithAi: true, disallow: ['duets'], coverAtMs: 1 }, [photo])).toEqual([
      'tiktok.options.madeWithAi',
      'tiktok.options.coverAtMs',
      'tiktok.options.disallow',
    ]);
    expect(withOptions({ privacy, coverAtMs: 9_001 })).toEqual(['tiktok.options.coverAtMs']);
    expect(withOptions({ privacy: 'private', promotion: 'paid-partnership' })).toEqual([
      'tiktok.options.promotion',
    ]);
  });
});
