import { RecentlyAccepted } from './bulkheads.js';

describe('recently accepted credentials', () => {
  let now: number;
  let recent: RecentlyAccepted;
  beforeEach(() => {
    now = 1_000;
    recent = new RecentlyAccepted(() => now);
  });

  it('expire five minutes after the last acceptance', () => {
    recent.add('one');
    now += 200_000;
    recent.add('one');
    now += 299_999;
    expect([recent.has('one'), recent.has('two')]).toEqual([true, false]);
    now += 1;
    expect(recent.has('one')).toBe(false);
  });

  it('do not include a refused credential', () => {
    recent.add('one');
    recent.remove('one');
    expect(recent.has('one')).toBe(false);
  });

  it('are at most ten thousand; the least recently accepted is evicted', () => {
    recent.add('first');
    recent.add('second');
    recent.add('first');
    for (let index = 2; index <= 10_000; index += 1) recent.add(String(index));
    expect([recent.has('first'), recent.has('second'), recent.has('10000')]).toEqual([true, false, true]);
  });
});
