import { suggestionText } from './suggestion-text.js';
import type { Trend } from './trend.js';

const trend = { title: 'Cold brew', kind: 'feed', sourceName: 'Coffee News' } as Trend;

describe('the text of a suggestion', () => {
  it('names its source', () => {
    expect(suggestionText(trend)).toBe('Cold brew\n\nSource: Coffee News');
    expect(suggestionText({ ...trend, kind: 'model', sourceName: 'openai/gpt-5' })).toBe(
      'Cold brew\n\nSource: AI model openai/gpt-5',
    );
  });

  it('shortens a long title between characters', () => {
    const [title = ''] = suggestionText({ ...trend, title: '🙂'.repeat(200) }).split('\n');
    expect([...title]).toHaveLength(150);
    expect(title.endsWith('🙂…')).toBe(true);
  });
});
