import { type MediaFacts, unknownMedia } from '#libs/content';
import type { ContentToCheck } from '../../provider.types.js';
import { rulesOf } from './linkedin-rules.js';
import { MEMBER, ORGANIZATION } from './linkedin-variants.js';

const content = (more: Partial<ContentToCheck> = {}): ContentToCheck => ({
  text: 'Hello',
  target: {},
  options: {},
  media: [],
  account: null,
  ...more,
});
const found = (more: Partial<ContentToCheck>, variant = MEMBER) =>
  rulesOf(variant)
    .preflight(content(more))
    .map(({ ruleId, severity }) => `${severity} ${ruleId}`);
const file = (more: Partial<MediaFacts>): MediaFacts => ({ ...unknownMedia('m'), kind: 'image', ...more });
const video = (more: Partial<MediaFacts> = {}) =>
  file({ kind: 'video', bytes: 1_000_000, durationMs: 10_000, width: 1_280, height: 720, ...more });

describe('the rules of LinkedIn', () => {
  it('count escapes, and the link that becomes part of the text', () => {
    expect(found({ text: 'a'.repeat(3_000) })).toEqual([]);
    expect(found({ text: 'a'.repeat(2_999) + '(' })).toEqual(['error linkedin.text.too-long']);
    const link = 'https://example.com/';
    expect(found({ text: 'a'.repeat(2_990), link })).toContain('error linkedin.text.too-long');
    expect(found({ text: 'a'.repeat(2_990), link, title: 'A card' })).toEqual([]);
    expect(found({ text: '('.repeat(60_000) })).toEqual(['error linkedin.text.too-long']);
    expect(rulesOf(MEMBER).textLength?.(content({ text: '(a)' }))).toEqual({ length: 5, limit: 3_000 });
  });

  it('want a text, a link or a file', () => {
    expect(found({ text: ' ' })).toEqual(['error linkedin.text.empty']);
    expect(found({ text: '', media: [file({})] })).toEqual([]);
  });

  it('warn of what readers do not see', () => {
    expect(found({ link: 'https://example.com' })).toEqual(['warning linkedin.link.no-title']);
    expect(found({ title: 'T' })).toEqual(['warning linkedin.title.not-shown']);
    expect(found({ title: 'T', media: [video()] })).toEqual([]);
  });

  it.each([
    [[...Array<MediaFacts>(20).fill(file({}))], []],
    [[...Array<MediaFacts>(21).fill(file({}))], ['error linkedin.media.too-many']],
    [[file({ kind: 'animation', frames: 251 })], ['error linkedin.media.animation-frames']],
    [[video(), video()], ['error linkedin.media.too-many-videos']],
    [[file({}), video()], ['error linkedin.media.mixed']],
    [[video({ durationMs: 2_900 })], ['error linkedin.media.video-too-short']],
    [[video({ durationMs: 20 * 60_000 })], ['warning linkedin.media.video-long']],
    [[video({ bytes: 74_999 })], ['error linkedin.media.video-bytes-few']],
    [[video({ bytes: 500_000_001 })], ['error linkedin.media.video-bytes']],
    [[video({ width: 2_500, height: 1_000 })], ['error linkedin.media.video-ratio']],
    [[file({ altText: 'a'.repeat(4_087) })], ['warning linkedin.media.alt-text-cut']],
    [[video({ altText: 'a' })], ['warning linkedin.media.alt-text-unsupported']],
  ])('check files (%#)', (media, expected) => {
    expect(found({ media })).toEqual(expect.arrayContaining(expected));
    if (expected.length === 0) expect(found({ media })).toEqual([]);
  });

  it('know who can see posts of members and of companies', () => {
    expect(found({ options: { privacy: 'connections' } })).toEqual([]);
    expect(found({ options: { privacy: 'connections' } }, ORGANIZATION)).toEqual([
      'error linkedin-company.options.privacy',
    ]);
    expect(found({ options: { privacy: 'private' } })).toEqual(['error linkedin.options.privacy']);
    expect(found({ options: { madeWithAi: true } })).toEqual(['error linkedin.options.madeWithAi']);
  });

  it('refuse targets that are not the account', () => {
    expect(found({ target: { organizationId: '7' } })).toEqual(['error linkedin.target.unsupported']);
    expect(found({ target: { pageId: '7' } }, ORGANIZATION)).toEqual([
      'error linkedin-company.target.unsupported',
    ]);
    const account = { accountId: '7', username: 'acme', facts: {} };
    expect(found({ target: { organizationId: '7' }, account }, ORGANIZATION)).toEqual([]);
    // Of a connection that was chosen although it is another organization.
    expect(found({ target: { organizationId: '8' }, account }, ORGANIZATION)).toEqual([
      'error linkedin-company.target.organization',
    ]);
  });

  it('recognise ids of posts', () => {
    const rules = rulesOf(MEMBER);
    const isPostId = (id: string) => rules.isPostId(id);
    expect([isPostId('urn:li:share:71'), isPostId('urn:li:ugcPost:71')]).toEqual([true, true]);
    for (const id of ['71', 'urn:li:activity:71', 'urn%3Ali%3Ashare%3A71', 'urn:li:share:'])
      expect(isPostId(id)).toBe(false);
    expect(rules.hasThreads).toBe(false);
  });
});
