import fc from 'fast-check';
import twitterText from 'twitter-text';
import { weightedLength } from './x-rules.js';

const WORDS = [
  ...['word', 'https://example.com/a?b=c#d', 'example.com', '@someone', '#topic', '$CASH', 'naïve'],
  ...[
    '日本語',
    '👩‍👩‍👧‍👦',
    '🇦🇹',
    '"quoted"',
    '(https://example.com/x)',
    'e\u0301',
    `https://example.com/${'a'.repeat(900)}`,
  ],
];

describe('The length that X counts', () => {
  it('is the same for a long text word by word as for the whole', () => {
    const words = fc.array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(' ', '\n\n', '\t ')), {
      minLength: 60,
      maxLength: 120,
    });
    fc.assert(
      fc.property(words, (pairs) => {
        const text = pairs.map((pair) => pair.join('')).join('');
        expect(weightedLength(text)).toBe(twitterText.parseTweet(text).weightedLength);
      }),
      { numRuns: 30 },
    );
  });

  it('counts a long word that is no URL by its characters', () => {
    expect(weightedLength('x'.repeat(5_000))).toBe(5_000);
    expect(weightedLength('日'.repeat(1_000))).toBe(2_000);
    expect(weightedLength(`https://example.com/${'a'.repeat(4_000)}`)).toBe(23);
    expect(weightedLength(`https://example.com/${'a'.repeat(5_000)}`)).toBeGreaterThan(4_500);
  });
});
