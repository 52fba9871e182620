import { addedPrices, type DatedPrices } from './prices.js';

const now = new Date('2026-11-23T12:00:00Z');
const from = (day: string, inputTokens: string): DatedPrices => ({
  startsAt: day === 'always' ? new Date(0) : new Date(`${day}T00:00:00Z`),
  prices: { inputTokens },
});

describe('stored prices follow a source', () => {
  it('all at first, past and announced ones', () => {
    const said = [from('always', '3'), from('2026-06-01', '2'), from('2027-01-01', '1')];
    expect(addedPrices([], said, now)).toEqual(said);
  });

  it('without a change when it says the same', () => {
    const said = [from('2026-06-01', '2'), from('always', '3')];
    expect(addedPrices(said.toReversed(), said, now)).toEqual([]);
  });

  it('from now on when it says another price without a date', () => {
    const added = addedPrices([from('always', '3')], [from('always', '2')], now);
    expect(added).toEqual([{ startsAt: now, prices: { inputTokens: '2' } }]);
  });

  it('from the date that it says, past or ahead', () => {
    const said = [from('always', '3'), from('2026-11-01', '2'), from('2027-01-01', '1')];
    expect(addedPrices([from('always', '3')], said, now)).toEqual([said[1], said[2]]);
  });

  it('from now on when the date is before a price that has applied', () => {
    const stored = [from('always', '3'), from('2026-11-20', '4')];
    const said = [from('always', '3'), from('2026-11-01', '2')];
    expect(addedPrices(stored, said, now)).toEqual([{ startsAt: now, prices: { inputTokens: '2' } }]);
  });

  it('not at all when it has none any more', () => {
    expect(addedPrices([from('always', '3')], [], now)).toEqual([]);
  });

  it('whatever the order of members', () => {
    const tiers = (reverse: boolean): DatedPrices => ({
      startsAt: new Date(0),
      prices: reverse
        ? { outputTokens: '9', inputTokens: { tiers: [{ price: '2', above: 5 }], base: '1' } }
        : { inputTokens: { base: '1', tiers: [{ above: 5, price: '2' }] }, outputTokens: '9' },
    });
    expect(addedPrices([tiers(false)], [tiers(true)], now)).toEqual([]);
  });
});
