import { articleOf, commentaryOf, littleText } from './linkedin-text.js';

describe('little text', () => {
  it.each([
    ['plain words, 100 % of them.', 'plain words, 100 % of them.'],
    [
      'a (b) [c] {d} <e> |f| *g* _h_ ~i~ \\j',
      'a \\(b\\) \\[c\\] \\{d\\} \\<e\\> \\|f\\| \\*g\\* \\_h\\_ \\~i\\~ \\\\j',
    ],
    ['mail me@example.org', 'mail me\\@example.org'],
  ])('%s is escaped', (text, expected) => {
    expect(littleText(text)).toBe(expected);
  });

  it.each([
    ['#growth and #日本 (#B2B)', '#growth and #日本 \\(#B2B\\)'],
    ['#snake_case', '#snake\\_case'],
    // No hashtags: a number, a part of a word, an entity, a lone sign.
    ['#1 C# a#b &#39; #', '\\#1 C\\# a\\#b &\\#39; \\#'],
  ])('of %s, hashtags stay hashtags', (text, expected) => {
    expect(littleText(text)).toBe(expected);
  });

  it.each([
    ['see https://example.com/a_b~c?d=@e#f.', 'see https://example.com/a_b~c?d=@e#f.'],
    [
      'https://en.wikipedia.org/wiki/Foo_(bar) (https://example.com)',
      'https://en.wikipedia.org/wiki/Foo_%28bar%29 \\(https://example.com\\)',
    ],
  ])('of %s, addresses stay addresses, without a character that cuts the text', (text, expected) => {
    expect(littleText(text)).toBe(expected);
  });

  it('keeps mentions, and escapes what only looks like one', () => {
    expect(littleText('with @[Acme (DE)](urn:li:organization:12) and @[x](y)')).toBe(
      'with @[Acme \\(DE\\)](urn:li:organization:12) and \\@\\[x\\]\\(y\\)',
    );
  });
});

describe('the link of a post', () => {
  const link = 'https://example.com/a_b';

  it('is a card when it has a title and the post has no files', () => {
    const content = { text: 'Read (this)', title: ' A title ', link };
    expect(articleOf(content, 0)).toEqual({ source: link, title: 'A title' });
    expect(commentaryOf(content, 0)).toBe('Read \\(this\\)');
  });

  it('is part of the text otherwise, once', () => {
    expect(articleOf({ text: '', title: ' ', link }, 0)).toBeNull();
    expect(commentaryOf({ text: '', title: null, link }, 0)).toBe(link);
    expect(commentaryOf({ text: 'Read', title: 'A title', link }, 1)).toBe(`Read\n\n${link}`);
    expect(commentaryOf({ text: `Read ${link}`, link }, 0)).toBe(`Read ${link}`);
  });
});
