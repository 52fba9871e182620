import { NO_USAGE } from '../../usage/spend/quantities.js';
import { costOf, dollarsOf } from '../domain/prices.js';
import { readOpenCatalog } from './open-catalog.js';

const model = (changes: object = {}) => ({
  id: 'm',
  name: 'M',
  modalities: { input: ['text'], output: ['text'] },
  limit: { context: 200_000, output: 64_000 },
  cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
  ...changes,
});
const document = (models: object, provider = 'openai') => ({ [provider]: { id: provider, models } });
const read = (changes: object, id = 'gpt-x') =>
  readOpenCatalog(document({ [id]: model(changes) })).entries[0];

describe('the open catalog', () => {
  it('says what a model serves, its limits, its life and its prices', () => {
    expect(read({ status: 'deprecated' })).toEqual({
      provider: 'openai',
      id: 'gpt-x',
      name: 'M',
      capabilities: ['completions'],
      contextWindow: 200_000,
      maxOutputTokens: 64_000,
      accepts: {},
      stage: 'deprecated',
      retiresAt: null,
      prices: [
        {
          startsAt: new Date(0),
          prices: {
            inputTokens: '3',
            cachedInputTokens: '0.3',
            cacheWriteTokens: '3.75',
            outputTokens: '15',
          },
        },
      ],
    });
  });

  it.each([
    ['cost 0/0', { cost: { input: 0, output: 0 } }],
    ['no cost', { cost: undefined }],
    ['cost null', { cost: null }],
  ])('leaves a model with %s without a price', (_, changes) => expect(read(changes)?.prices).toEqual([]));

  it.each([
    ['tiers', { tiers: [{ tier: { type: 'context', size: 200_000 }, input: 6, output: 22.5 }] }, 200_000],
    ['the older form', { context_over_200k: { input: 6, output: 22.5 } }, 200_001],
  ])('has prices by the size of the input, as %s', (_, tiered, size) => {
    const prices = read({ cost: { input: 3, output: 15, ...tiered } })?.prices[0]?.prices ?? null;
    const cost = (inputTokens: number) => dollarsOf(costOf(prices, { ...NO_USAGE, inputTokens }) ?? -1n);
    expect(cost(size)).toBe(dollarsOf(BigInt(size) * 6_000n));
    expect(cost(size - 1)).toBe(dollarsOf(BigInt(size - 1) * 3_000n));
  });

  it('prices reasoning as output, at the higher price', () => {
    expect(read({ cost: { input: 1, output: 2, reasoning: 4 } })?.prices[0]?.prices).toMatchObject({
      outputTokens: '4',
    });
  });

  it.each([
    ['new-draw', { input: ['text'], output: ['image'] }, ['images']],
    ['new-ear', { input: ['audio'], output: ['text'] }, ['transcriptions']],
    ['new-talk', { input: ['text', 'image'], output: ['text'] }, ['completions']],
    ['new-voice', { input: ['text'], output: ['audio'] }, null],
    ['gpt-realtime-9', { input: ['text'], output: ['text'] }, null],
  ])('tells what %s serves', (id, modalities, capabilities) =>
    expect(read({ modalities }, id)?.capabilities).toEqual(capabilities),
  );

  it.each<[string, string, unknown]>([
    ['a price below 0', 'gpt-x', model({ cost: { input: -1, output: 1 } })],
    ['a price as text', 'gpt-x', model({ cost: { input: '3', output: 1 } })],
    ['a price that is none', 'gpt-x', model({ cost: { input: Infinity, output: 1 } })],
    ['a tier without a type', 'gpt-x', model({ cost: { input: 1, output: 1, tiers: [{ input: 2 }] } })],
    ['a limit below 0', 'gpt-x', model({ limit: { context: -5 } })],
    ['a name with control characters', 'gpt-x', model({ name: 'a\u0000b' })],
    ['modalities that are no list', 'gpt-x', model({ modalities: { output: 'text' } })],
    ['an id with spaces', 'gpt x', model()],
    ['an id that is too long', 'g'.repeat(201), model()],
    ['a text in place of a model', 'gpt-x', 'free'],
    ['null in place of a model', 'gpt-x', null],
  ])('leaves out a model with %s, and keeps the others', (_, id, bad) => {
    const { entries, rejected, reasons } = readOpenCatalog(document({ [id]: bad, 'gpt-good': model() }));
    expect(entries.map((entry) => entry.id)).toEqual(['gpt-good']);
    expect(rejected).toBe(1);
    expect(reasons[0]).toMatch(/^openai\/g/);
  });

  it('says what requests may hold; members of another type are not known', () => {
    expect(read({ temperature: false, tool_call: true, structured_output: 'yes' })?.accepts).toEqual({
      temperature: false,
      tools: true,
    });
  });

  it('keeps a model whose price has a tier of a type that is not known, without a price', () => {
    const cost = { input: 1, output: 1, tiers: [{ tier: { type: 'season' }, input: 2 }] };
    expect(read({ cost }, 'gpt-x')).toMatchObject({ id: 'gpt-x', prices: [] });
  });

  it.each([null, [], 'text', 7, {}, { openai: null }, { openai: { models: [] } }, { other: { models: {} } }])(
    'has nothing of our providers in %j',
    (nothing) =>
      expect(readOpenCatalog(nothing)).toEqual({ providers: [], entries: [], rejected: 0, reasons: [] }),
  );

  it('is not confused by names of inherited members', () => {
    const hostile: unknown = JSON.parse(
      '{"__proto__": {"openai": {"models": {"gpt-x": {}}}}, "constructor": 1}',
    );
    expect(readOpenCatalog(hostile).entries).toEqual([]);
  });
});
