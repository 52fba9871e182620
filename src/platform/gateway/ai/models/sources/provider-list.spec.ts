import { readProviderList } from './provider-list.js';

const listed = (id: string, retiresAt: string | null = null) => ({
  id,
  name: null,
  contextWindow: null,
  maxOutputTokens: null,
  retiresAt,
});

describe("a provider's list", () => {
  it.each([
    ['2026-12-01', '2026-12-01'],
    ['2026-12-01T00:00:00Z', '2026-12-01'],
    ['2026-12-01T00:30:00+02:00', '2026-11-30'],
    [null, null],
  ])('has the day of retirement %s', (given, day) =>
    expect(readProviderList('openai', [listed('gpt-5', given)]).entries[0]?.retiresAt).toBe(day),
  );

  it('names models of all kinds: those that no route serves are marked, unknown ones kept', () => {
    const ids = ['gpt-5', 'tts-1', 'text-embedding-3-small', 'zeta-1'];
    const { entries } = readProviderList(
      'openai',
      ids.map((id) => listed(id)),
    );
    expect(entries.map(({ capabilities }) => capabilities)).toEqual([['completions'], null, null, []]);
  });

  it('loses neither others by a malformed one, nor one that is repeated', () => {
    const models = [listed('gpt-5'), listed('gpt 5'), listed('o3', 'soon'), listed('gpt-5')];
    const { entries, rejected, reasons } = readProviderList('openai', models);
    expect(entries.map(({ id }) => id)).toEqual(['gpt-5']);
    expect(rejected).toBe(2);
    expect(reasons).toEqual([
      'openai/gpt 5: its id is not valid',
      'openai/o3: its date of retirement is no date',
    ]);
  });
});
