import { Logger } from '@nestjs/common';
import { FixedClock } from '#libs/clock/testing';
import { Quarantine } from './quarantine.js';

describe('the quarantine of posts', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('leaves a post out for five minutes after the last time it was added', () => {
    const clock = new FixedClock();
    const quarantine = new Quarantine(clock);
    quarantine.add('a', new Error('unreadable'));
    quarantine.add('b', new Error('unreadable'));
    expect(quarantine.postIds).toEqual(['a', 'b']);
    clock.advance(299_999);
    quarantine.add('b', new Error('unreadable'));
    clock.advance(1);
    expect(quarantine.postIds).toEqual(['b']);
    clock.advance(299_999);
    expect([quarantine.postIds, quarantine.total]).toEqual([[], 3]);
  });
});
