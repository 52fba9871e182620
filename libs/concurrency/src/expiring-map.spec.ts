import { ExpiringMap } from './expiring-map.js';

describe('values that are valid for a fixed time', () => {
  it('are returned until their time is over, counted from the read', () => {
    let now = 100;
    const map = new ExpiringMap<string>(50, () => now);
    map.set('a', 'x', 80);
    expect(map.get('a')).toBe('x');
    now = 129;
    expect(map.get('a')).toBe('x');
    now = 130;
    expect(map.get('a')).toBeUndefined();
  });

  it('are dropped, oldest first, above the maximum', () => {
    const map = new ExpiringMap<number>(50, () => 0);
    for (let index = 0; index <= 10_000; index += 1) map.set(String(index), index, 0);
    expect([map.get('0'), map.get('1'), map.get('10000')]).toEqual([undefined, 1, 10_000]);
  });
});
