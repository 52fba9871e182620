import { FixedClock } from '#libs/clock/testing';
import { Snowflakes, compareIds } from './snowflakes.js';

describe('ids of X', () => {
  it('carry the time', () => {
    const id = new Snowflakes(new FixedClock(new Date('2020-06-24T16:28:14.000Z'))).next();
    expect(id.slice(0, 7)).toBe('1275828');
    expect(id).toHaveLength(19);
  });

  it('increase also when the clock goes back', () => {
    const clock = new FixedClock();
    const ids = new Snowflakes(clock);
    const given: string[] = [];
    for (const step of [0, 1, 0, -5_000, 0, 100]) {
      clock.jumpTo(new Date(clock.now().getTime() + step));
      given.push(ids.next());
    }
    expect(given.toSorted(compareIds)).toEqual(given);
    expect(new Set(given).size).toBe(given.length);
  });

  it('are never given again after a restart', () => {
    const ids = new Snowflakes(new FixedClock());
    ids.passed('9000000000000000000');
    expect(ids.next()).toBe('9000000000000000001');
  });

  it.each([
    ['9', '10', -1],
    ['10', '9', 1],
    ['1275828087666679809', '1275828087666679810', -1],
    ['7', '7', 0],
  ])('%s and %s compare as numbers', (left, right, sign) => {
    expect(Math.sign(compareIds(left, right))).toBe(sign);
  });
});
