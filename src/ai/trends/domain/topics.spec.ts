import { topicOf, topicsIn } from './text.js';

describe('topics', () => {
  it.each([
    ['  Latte\n Art ', 'latte art'],
    ['CAFÉ', 'café'],
    ['C++', 'c++'],
  ])('%j is kept as %j', (text, topic) => expect(topicOf(text)).toBe(topic));

  it.each(['', '   ', '\u200b', '—', 'x'.repeat(61)])('%j is none', (text) =>
    expect(topicOf(text)).toBeNull(),
  );

  it('are found as whole words in any order, without accents', () => {
    const topics = ['cafe', 'art latte', 'tea'];
    expect(topicsIn('Latte is an ART, says a café for steaks', topics)).toEqual(['cafe', 'art latte']);
  });
});
