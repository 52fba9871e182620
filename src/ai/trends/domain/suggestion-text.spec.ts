import { suggestionText } from '../commands/suggest-trend.js';
import type { Trend } from './trend.js';

const trend = { title: 'Cold brew', kind: 'feed', sourceName: 'Coffee News' } as Trend;
const upTo = (length: number) => (text: string) => [...text].length <= length;

describe('the text of a suggestion', () => {
  it('names its source', () => {
    expect(suggestionText(trend, () => true)).toBe('Cold brew\n\nSource: Coffee News');
    expect(suggestionText({ ...trend, kind: 'model', sourceName: 'openai/gpt-5' }, () => true)).toBe(
      'Cold brew\n\nSource: AI model openai/gpt-5',
    );
  });

  it.each([26, 27, 40, 179, 219, 220])('has the longest title that fits in %i characters', (length) => {
    const long = { ...trend, title: '🙂'.repeat(200) };
    const text = suggestionText(long, upTo(length));
    expect([...(text ?? '')]).toHaveLength(Math.min(length, 221));
    expect(text).toMatch(/^(?:🙂)+…?\n\nSource: Coffee News$/u);
  });

  it.each([0, 22])('is none in %i characters', (length) =>
    expect(suggestionText({ ...trend, title: 'Cold brew sells' }, upTo(length))).toBeNull(),
  );
});
