import fc from 'fast-check';
import twitterText from 'twitter-text';
import { hasInvalidCharacters, linksIn, weightedLength, wireText } from './post-text.js';

describe('the text of a post', () => {
  it.each([
    ['a'.repeat(280), 280],
    ['é'.repeat(10), 10],
    ['日'.repeat(10), 20],
    ['👨‍👩‍👧‍👦', 2],
    ['see https://example.com/a/very/long/path?that=does&not=matter', 27],
    ['see example.com', 27],
  ])('%s weighs %i', (text, weight) => {
    expect(weightedLength(text)).toBe(weight);
  });

  it('weighs the same with and without the short cut', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('a', 'B', ' ', '\n', '.', ':', '/', '@', '#') }),
    );
    fc.assert(
      fc.property(text, (sample) => {
        const normal = sample.normalize('NFC');
        expect(weightedLength(normal)).toBe(twitterText.parseTweet(normal).weightedLength);
      }),
      { numRuns: 500 },
    );
  });

  it('comes back with links shortened and HTML escaped', () => {
    expect(wireText('1', 'a < b & https://example.com/?a=1&b=2 > c')).toMatch(
      /^a &lt; b &amp; https:\/\/t\.co\/\w{10} &gt; c$/,
    );
    expect(linksIn('1', 'x example.com y')).toMatchObject([
      { start: 2, end: 13, expandedUrl: 'http://example.com' },
    ]);
  });

  it.each([['\uFFFE'], ['a\uFEFFb'], ['\uD800']])('cannot hold %j', (text) => {
    expect(hasInvalidCharacters(text)).toBe(true);
  });
});
