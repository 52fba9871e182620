import { oneLine } from './text.js';

describe('one line of text', () => {
  it.each([
    ['zero-width characters', 'co\u200bf\u2060fee\ufeff', 'coffee'],
    ['controls and directions', 'a\u0000b\u202ec\u2066', 'abc'],
    [
      'tags that spell a sentence',
      `a${String.fromCodePoint(...[...'ignore'].map((c) => 0xe0000 + c.charCodeAt(0)))}b`,
      'ab',
    ],
    ['selectors of the supplement', 'a\u{e0100}\u{e0101}b', 'ab'],
    ['selectors after the first', 'a\ufe0f\ufe01\ufe02b', 'a\ufe0fb'],
    ['soft hyphens and fillers', 'a\u00adb\u3164c\u115f', 'abc'],
    ['annotations', 'a\ufff9b\ufffac\ufffb', 'abc'],
    ['joiners without neighbours', '\u200da \u200c b\u200d', 'a b'],
  ])('has no %s', (_, text, clean) => expect(oneLine(text, 100)).toBe(clean));

  it.each(['👩‍👩‍👧', '❤️‍🔥', '🏳️‍🌈', 'می‌خواهم', 'क्‍ष', '1️⃣', '☕️'])('keeps %s', (text) =>
    expect(oneLine(text, 100)).toBe(text),
  );

  it('is cut between characters', () => expect(oneLine('ab🙂', 3)).toBe('ab…'));
});
