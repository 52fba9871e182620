import fc from 'fast-check';
import { NO_USAGE, type Usage } from '../../usage/spend/quantities.js';
import { costOf, dollarsOf, isPriced, nanoDollars, type Prices, pricesAt, TOKEN_PRICES } from './prices.js';

const quantity = fc.integer({ min: 0, max: 2_000_000 });
const someUsage: fc.Arbitrary<Usage> = fc.record({
  inputTokens: quantity,
  cachedInputTokens: quantity,
  cacheWriteTokens: quantity,
  outputTokens: quantity,
  inputImageTokens: quantity,
  outputImageTokens: quantity,
  inputAudioTokens: quantity,
  audioSeconds: fc.integer({ min: 0, max: 90_000 }),
  images: fc.integer({ min: 0, max: 10 }),
});
const dollars = fc.bigInt({ min: 0n, max: 200_000_000_000n }).map(dollarsOf);
/** Without tiers, which make a sum dearer than its parts. */
const flatPrices: fc.Arbitrary<Prices> = fc
  .record(Object.fromEntries([...TOKEN_PRICES, 'audioHours', 'images'].map((name) => [name, dollars])))
  .filter(isPriced);
const cost = (prices: Prices, usage: Usage): bigint => costOf(prices, usage) ?? -1n;
const sum = (one: Usage, other: Usage): Usage =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]) => [name, value + other[name as keyof Usage]]),
  ) as unknown as Usage;

describe('costOf', () => {
  const prices: Prices = {
    inputTokens: '2.5',
    cachedInputTokens: '1.25',
    outputTokens: '10',
    inputImageTokens: '8',
    outputImageTokens: '32',
  };

  it.each<[string, Prices, Partial<Usage>, string]>([
    ['text', prices, { inputTokens: 1000, outputTokens: 200 }, '0.0045'],
    ['cached tokens at their own price', prices, { inputTokens: 100, cachedInputTokens: 900 }, '0.001375'],
    ['cached tokens without a price as input', { inputTokens: '2' }, { cachedInputTokens: 10 }, '0.00002'],
    ['images by their tokens', prices, { inputTokens: 20, outputImageTokens: 4160, images: 1 }, '0.13317'],
    ['images by their number', { inputTokens: '1', images: '0.04' }, { images: 3 }, '0.12'],
    [
      'counted images by their number',
      { inputTokens: '1', images: '0.04' },
      { outputImageTokens: 9, images: 1 },
      '0.04',
    ],
    ['audio by the hour', { audioHours: '0.36' }, { audioSeconds: 90 }, '0.009'],
    ['fractions of a second', { audioHours: '0.36' }, { audioSeconds: 1.5 }, '0.00015'],
    ['audio by tokens', { inputAudioTokens: '6', outputTokens: '10' }, { inputAudioTokens: 600 }, '0.0036'],
    ['less than a billionth rounded up', { inputTokens: '0.0001' }, { inputTokens: 1 }, '0.000000001'],
    ['nothing', prices, {}, '0'],
  ])('prices %s', (_, list, usage, expected) =>
    expect(dollarsOf(cost(list, { ...NO_USAGE, ...usage }))).toBe(expected),
  );

  it.each<[string, Prices | null, Partial<Usage>]>([
    ['the model has no prices', null, { inputTokens: 1 }],
    ['the list is empty', {}, {}],
    ['all prices are 0, as in a free tier', { inputTokens: '0', outputTokens: '0' }, { inputTokens: 1 }],
    ['a consumed quantity has no price', { inputTokens: '1' }, { inputTokens: 5, outputTokens: 1 }],
    ['tokens were written to a cache without a price', { inputTokens: '1' }, { cacheWriteTokens: 1 }],
    [
      'image tokens without an image have no price',
      { inputTokens: '1', images: '1' },
      { outputImageTokens: 1 },
    ],
    ['images have a price neither by token nor by number', { inputTokens: '1' }, { images: 1 }],
    ['audio was counted in seconds and is priced by token', { inputAudioTokens: '6' }, { audioSeconds: 1 }],
  ])('is null when %s', (_, list, usage) => expect(costOf(list, { ...NO_USAGE, ...usage })).toBeNull());

  it.each([
    [200_000, '0.6'],
    [200_001, '1.200006'],
    [500_001, '4.500009'],
  ])('prices all of %i input tokens by the highest tier that they exceed', (inputTokens, expected) => {
    const tiers = [
      { above: 500_000, price: '9' },
      { above: 200_000, price: '6' },
    ];
    expect(dollarsOf(cost({ inputTokens: { base: '3', tiers } }, { ...NO_USAGE, inputTokens }))).toBe(
      expected,
    );
  });

  it('chooses the tier of the output by the size of the whole input, cached tokens included', () => {
    const outputTokens = { base: '15', tiers: [{ above: 200_000, price: '22.5' }] };
    const usage = { ...NO_USAGE, inputTokens: 1, cachedInputTokens: 200_000, outputTokens: 1_000_000 };
    expect(dollarsOf(cost({ inputTokens: '0', outputTokens }, usage))).toBe('22.5');
  });

  it('never falls when more is consumed', () => {
    fc.assert(
      fc.property(flatPrices, someUsage, someUsage, (list, usage, more) => {
        fc.pre((usage.outputImageTokens === 0) === (usage.outputImageTokens + more.outputImageTokens === 0));
        expect(cost(list, sum(usage, more))).toBeGreaterThanOrEqual(cost(list, usage));
      }),
    );
  });

  it('is additive but for one rounding up per call', () => {
    fc.assert(
      fc.property(flatPrices, fc.array(someUsage, { minLength: 1, maxLength: 20 }), (list, calls) => {
        fc.pre(new Set(calls.map(({ outputImageTokens }) => outputImageTokens === 0)).size === 1);
        const apart = calls.reduce((total, usage) => total + cost(list, usage), 0n);
        const together = cost(list, calls.reduce(sum));
        expect(apart).toBeGreaterThanOrEqual(together);
        expect(apart - together).toBeLessThan(BigInt(calls.length));
      }),
    );
  });
});

describe('prices with dates', () => {
  const [old, next] = [{ inputTokens: '2' }, { inputTokens: '1' }];
  const dated = [
    { startsAt: new Date('2026-12-01T00:00:00Z'), prices: next },
    { startsAt: new Date(0), prices: old },
  ];

  it.each([
    ['2026-11-30T23:59:59.999Z', old],
    ['2026-12-01T00:00:00.000Z', next],
  ])('at %s', (at, expected) => expect(pricesAt(dated, new Date(at))).toBe(expected));

  it('are missing before the first starts', () => {
    expect(pricesAt(dated.slice(0, 1), new Date('2026-11-01T00:00:00Z'))).toBeNull();
  });
});

describe('dollars as text', () => {
  it('become billionths and text again without loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (nano) => {
        expect(nanoDollars(dollarsOf(nano))).toBe(nano);
      }),
    );
  });

  it.each(['', '-1', '1e-7', '.5', '1.', '0.1234567890', ' 1'])('are not %j', (text) =>
    expect(() => nanoDollars(text)).toThrow(RangeError),
  );
});
