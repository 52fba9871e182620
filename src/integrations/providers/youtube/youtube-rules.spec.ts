import { type MediaFacts, unknownMedia } from '#libs/content';
import type { ContentToCheck } from '../../provider.types.js';
import { preflight, descriptionOf, tagsLength } from './youtube-rules.js';

const video = (more: Partial<MediaFacts> = {}): MediaFacts => ({
  ...unknownMedia('m'),
  kind: 'video',
  ...more,
});
const found = (more: Partial<ContentToCheck>): string[] =>
  preflight({
    text: 'Beans.',
    title: 'How we roast',
    target: {},
    options: {},
    media: [video()],
    account: null,
    ...more,
  }).map(({ ruleId }) => ruleId.replace('youtube.', ''));

describe('what YouTube would refuse', () => {
  it.each<[string, Partial<ContentToCheck>, string[]]>([
    ['a video with a title', {}, []],
    ['no text', { text: '' }, []],
    ['no title', { title: null }, ['title.required']],
    ['a title of spaces', { title: '  ' }, ['title.required']],
    ['a title of 100 characters, some of two units', { title: '🫘'.repeat(100) }, []],
    ['a longer title', { title: 'x'.repeat(101) }, ['title.too-long']],
    ['brackets in the title', { title: 'a < b' }, ['title.brackets']],
    ['brackets in the text', { text: '<b>Beans</b>' }, ['text.brackets']],
    ['5000 bytes', { text: 'é'.repeat(2_500) }, []],
    ['5001 bytes', { text: `${'é'.repeat(2_500)}x` }, ['text.too-long']],
    [
      'a text that is too long with its link',
      { text: 'x'.repeat(4_990), link: 'https://example.com/' },
      ['text.too-long'],
    ],
    ['no file', { media: [] }, ['media.required']],
    ['two videos', { media: [video(), video()] }, ['media.too-many']],
    ['a picture', { media: [{ ...video(), kind: 'image' }] }, ['media.kind']],
    ['a long video', { media: [video({ durationMs: 12 * 3_600_000 + 1 })] }, ['media.video-too-long']],
    ['the privacies that it has', { options: { privacy: 'unlisted' } }, []],
    ['another privacy', { options: { privacy: 'friends' } }, ['options.privacy']],
    ['all marks', { options: { madeForKids: true, madeWithAi: true, tags: ['a'] } }, []],
    ['500 characters of tags', { options: { tags: ['x'.repeat(249), 'y'.repeat(250)] } }, []],
    ['501 characters of tags', { options: { tags: ['x'.repeat(250), 'y'.repeat(250)] } }, ['options.tags']],
    ['brackets in a tag', { options: { tags: ['<a>'] } }, ['options.tags-brackets']],
    ['options of other networks', { options: { promotion: 'own-brand' } }, ['options.promotion']],
    ['a page', { target: { pageId: '1' } }, ['target.unsupported']],
    ['its channel', { target: { accountId: 'UC1' } }, []],
  ])('%s', (_, content, rules) => {
    expect(found(content)).toEqual(rules);
  });

  it('counts tags as YouTube does: commas between, quotation marks around spaces', () => {
    expect(tagsLength([])).toBe(0);
    expect(tagsLength(['Foo Baz'])).toBe(9);
    expect(tagsLength(['Foo', 'Foo Baz'])).toBe(13);
  });

  it('puts the link below the text, unless the text has it', () => {
    expect(descriptionOf({ text: 'Beans.', link: 'https://a.example/' })).toBe(
      'Beans.\n\nhttps://a.example/',
    );
    expect(descriptionOf({ text: 'See https://a.example/', link: 'https://a.example/' })).toBe(
      'See https://a.example/',
    );
    expect(descriptionOf({ text: '', link: 'https://a.example/' })).toBe('https://a.example/');
  });
});
