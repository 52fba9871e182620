import { jest } from '@jest/globals';
import { MAX_MODEL_TRENDS, trendsInAnswer } from './model-answer.js';

const titles = (text: string) => trendsInAnswer(text)?.trends.map(({ title }) => title);
const item = (title: string) => ({ title, summary: 'Why.', link: null });

describe('the answer of a model', () => {
  it('keeps current trends whose summaries refer to earlier years', () => {
    const trends = [
      { title: 'Cold brew in winter', summary: 'Up from a tenth in 2019 and 2023.', link: null },
      { title: 'The 2024 look returns', summary: 'As in 2024.', link: 'https://news.example.com/2024/01' },
    ];
    expect(trendsInAnswer(JSON.stringify({ trends }))).toMatchObject({ trends, dropped: 0 });
  });

  it('drops items that are no trends, and keeps the others', () => {
    const trends = [
      null,
      'text',
      5,
      [],
      {},
      { title: 7 },
      { title: ' ' },
      { title: '\u202e—' },
      item('Kept'),
    ];
    expect(trendsInAnswer(JSON.stringify({ trends }))).toMatchObject({
      trends: [{ title: 'Kept' }],
      dropped: 8,
    });
  });

  it.each([
    [{ title: 'A', summary: 7 }, { summary: '' }],
    [{ title: 'A', link: 'javascript:alert(1)' }, { link: null }],
    [{ title: 'A', link: 'https://user:secret@example.com/' }, { link: null }],
    [{ title: 'A', link: '/relative' }, { link: null }],
    [
      { title: 'A\n\u0000B\u202e', summary: ' x \t y ' },
      { title: 'A B', summary: 'x y' },
    ],
  ])('repairs %j', (given, expected) => {
    expect(trendsInAnswer(JSON.stringify([given]))?.trends).toEqual([expect.objectContaining(expected)]);
  });

  it('cuts long texts, and counts what is too much', () => {
    const trends = Array.from({ length: MAX_MODEL_TRENDS + 2 }, (_, index) =>
      item(`${index} ${'x'.repeat(500)}`),
    );
    const answer = trendsInAnswer(JSON.stringify({ trends }));
    expect(answer?.dropped).toBe(2);
    expect(answer?.trends[0]?.title).toHaveLength(200);
  });

  it('keeps one of two with the same title', () =>
    expect(titles(JSON.stringify([item('Same'), item('same')]))).toEqual(['Same']));

  it('keeps the complete items of a text that was cut', () => {
    const whole = JSON.stringify({ trends: [item('One } " ] {'), item('Two')] });
    expect(titles(whole.slice(0, -10))).toEqual(['One } " ] {']);
  });

  it.each([
    ['in a code fence', `Here:\n\`\`\`json\n${JSON.stringify([item('B')])}\n\`\`\``],
    ['after words with brackets', `Trends [as of 2026] for {brand}: ${JSON.stringify([item('B')])} [1]`],
    ['in other objects', JSON.stringify({ result: { items: [item('B')] } })],
    ['after another list, in a text that was cut', '{"sources":["a"],"trends":[{"title":"B"},{"title":"C'],
    ['without a list', '{"title":"B"}'],
  ])('reads items %s', (_, text) => expect(titles(text)).toEqual(['B']));

  it.each([
    ['a stray quotation mark', '{"title":"A 5" screen","summary":"x"}'],
    ['two of them', '{"title":"A "5 inch" screen","summary":"x"}'],
    ['a brace too many', '{"title":"A"}}'],
    ['a comma too many', '{"title":"A",}'],
    ['no end', '{"title":"A"'],
    ['an end inside a text', '{"title":"A}'],
  ])('with %s in one item keeps the others', (_, bad) => {
    const [first, last] = [JSON.stringify(item('First')), '{"title":"Last","of":{"name":"x"}}'];
    for (const text of [`[${first},${bad},${last}]`, `{"trends":[${bad},${first},${last}]}`])
      expect(titles(text)).toEqual(expect.arrayContaining(['First', 'Last']));
  });

  it('counts the items that are no JSON', () =>
    expect(trendsInAnswer('{"trends":[{"title":"A 5" x"},{"title":"B"},{"title":7}]}')).toMatchObject({
      trends: [{ title: 'B' }],
      dropped: 2,
    }));

  it.each(['{"', '{"a":', '{"title":"', '[{"a":"b"},', '{"a":{}', '{', '{ ', '{"a\\"}', '"{"title":1}'])(
    'is read in linear time when it repeats %j',
    (part) => {
      const text = part.repeat(200_000 / part.length);
      const parse = jest.spyOn(JSON, 'parse');
      trendsInAnswer(text);
      const read = parse.mock.calls.reduce((sum, [given]) => sum + String(given).length, 0);
      expect(read).toBeLessThan(20 * text.length);
    },
  );

  it.each(['', 'Sorry.', '{}', '{"trends":5}', '[', '[[[[', '}{', '"[{"', '{"error":"no"}'])(
    '%j has no list',
    (text) => expect(trendsInAnswer(text)).toBeNull(),
  );

  it('may have an empty list', () => expect(titles('{"trends":[]}')).toEqual([]));
});
