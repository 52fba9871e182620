import { AcceptedLately } from './accepted-lately.js';

describe('credentials that were accepted lately', () => {
  let now: number;
  let lately: AcceptedLately;
  beforeEach(() => {
    now = 1_000;
    lately = new AcceptedLately(() => now);
  });

  it('are known for five minutes from the last time', () => {
    lately.add('one');
    now += 200_000;
    lately.add('one');
    now += 299_999;
    expect([lately.has('one'), lately.has('two')]).toEqual([true, false]);
    now += 1;
    expect(lately.has('one')).toBe(false);
  });

  it('are unknown once they were refused', () => {
    lately.add('one');
    lately.remove('one');
    expect(lately.has('one')).toBe(false);
  });

  it('are ten thousand at most; those used longest ago are forgotten', () => {
    lately.add('first');
    lately.add('second');
    lately.add('first');
    for (let index = 2; index <= 10_000; index += 1) lately.add(String(index));
    expect([lately.has('first'), lately.has('second'), lately.has('10000')]).toEqual([true, false, true]);
  });
});
