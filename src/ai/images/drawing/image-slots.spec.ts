import { FixedClock } from '#libs/clock/testing';
import type { RateLimits } from '#libs/http';
import { ImageSlots } from './image-limits.js';
import type { ImagesConfig } from '../images.config.js';

describe('places for pictures', () => {
  it('go to an organization that waits, and not to one that has its share', async () => {
    const clock = new FixedClock(new Date('2026-11-26T12:00:00Z'));
    const slots = new ImageSlots({ atOnce: 2 } as ImagesConfig, {} as RateLimits, clock);
    const drawn = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
    const runs = drawn.map(({ promise }) => slots.run('greedy', () => promise));
    const work = () => Promise.resolve('drawn');
    await expect(slots.run('other', work)).rejects.toMatchObject({ code: 'too_many_images_at_once' });
    drawn[0]?.resolve();
    await runs[0];
    await expect(slots.run('greedy', work)).rejects.toMatchObject({ code: 'too_many_images_at_once' });
    expect(await slots.run('other', work)).toBe('drawn');
    drawn[1]?.resolve();
    await runs[1];
    expect(await slots.run('greedy', work)).toBe('drawn');
  });
});
