import { costOf, type Prices } from '../domain/prices.js';
import { NO_USAGE } from '../../usage/spend/quantities.js';
import { priceListError } from './operator-price.dto.js';

describe('price lists of operators', () => {
  it.each<[string, Prices]>([
    ['tokens', { inputTokens: '1.25', outputTokens: '10' }],
    ['hours of audio', { audioHours: '0.36' }],
    ['tiers', { inputTokens: { base: '1', tiers: [{ above: 200_000, price: '2' }] }, outputTokens: '0' }],
  ])('accept %s, and a cost follows from them', (_what, prices) => {
    expect(priceListError(prices)).toBeNull();
    const usage = {
      ...NO_USAGE,
      ...('audioHours' in prices ? { audioSeconds: 3600 } : { inputTokens: 1_000_000 }),
    };
    expect(costOf(prices, usage)).toBeGreaterThan(0n);
  });

  it('keep the cost of the longest request within 64 bits', () => {
    const dearest = '9'.repeat(6);
    expect(priceListError({ outputTokens: dearest })).toBeNull();
    expect(costOf({ outputTokens: dearest }, { ...NO_USAGE, outputTokens: 5_000_000 })).toBeLessThan(
      2n ** 63n,
    );
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['zeros only', { inputTokens: '0', outputTokens: '0.000' }],
    ['no object', '1.25'],
    ['a list', ['1.25']],
    ['null', null],
    ['a number, which JSON cannot hold exactly', { inputTokens: 1.25 }],
    ['a negative price', { inputTokens: '-1' }],
    ['an exponent', { inputTokens: '1e3' }],
    ['ten decimals', { inputTokens: '0.0000000001' }],
    ['more than a dollar per token', { inputTokens: '1000000' }],
    ['an unknown quantity', { inputTokens: '1', searches: '1' }],
    ['a name of every object', JSON.parse('{"inputTokens": "1", "__proto__": "1"}')],
    ['a tier without a bound', { inputTokens: { base: '1', tiers: [{ price: '2' }] } }],
    ['a tier below zero', { inputTokens: { base: '1', tiers: [{ above: -1, price: '2' }] } }],
    ['tiers without a base', { inputTokens: { tiers: [] } }],
    [
      'a tier with another member',
      { inputTokens: { base: '1', tiers: [{ above: 1, price: '2', start: 3 }] } },
    ],
  ])('refuse %s', (_what, prices) => {
    expect(priceListError(prices)).toMatch(/^must have|^must be/);
  });
});
