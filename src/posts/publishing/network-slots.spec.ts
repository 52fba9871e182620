import { loadConfig } from '#libs/config';
import type { Platform } from '#libs/content';
import { NetworkSlots } from './network-slots.js';
import { PublishConfig } from './publish.config.js';

const [slow, second, quick] = ['slow', 'second', 'quick'] as Platform[] as [Platform, Platform, Platform];
const some = (platform: Platform, count: number, recoveredMs: number | null = null) =>
  Array.from({ length: count }, () => ({ platform, recoveredMs }));
const slots = (concurrency: number) =>
  new NetworkSlots(loadConfig(PublishConfig, { PUBLISH_CONCURRENCY: String(concurrency) }));

describe('the slots of a worker', () => {
  it('stay free for other networks, however many posts of one are due', () => {
    const shared = slots(256);
    const { fitting, full } = shared.fit(some(slow, 1_000));
    expect([fitting.length, full]).toEqual([192, [slow]]);
    for (const { platform } of fitting) shared.begin(platform);
    expect(shared.full()).toEqual([slow]);
    expect(shared.fit([...some(slow, 10), ...some(quick, 10)])).toEqual({
      fitting: some(quick, 10),
      full: [slow],
    });
  });

  it('stay free for a third network while two are slow', () => {
    const shared = slots(256);
    for (const { platform } of shared.fit(some(slow, 1_000)).fitting) shared.begin(platform);
    for (const { platform } of shared.fit(some(second, 1_000)).fitting) shared.begin(platform);
    expect(shared.fit(some(quick, 10)).fitting).toHaveLength(10);
  });

  it('are used again when a post ends', () => {
    const shared = slots(4);
    for (const { platform } of shared.fit(some(slow, 10)).fitting) shared.begin(platform);
    expect(shared.fit(some(slow, 1)).fitting).toEqual([]);
    shared.end(slow);
    expect(shared.fit(some(slow, 1)).fitting).toHaveLength(1);
  });

  it('serve a worker of one slot', () => {
    expect(slots(1).fit(some(slow, 2)).fitting).toHaveLength(1);
  });

  it('are given step by step to a network that was down', () => {
    const count = (recoveredMs: number) => slots(256).fit(some(slow, 1_000, recoveredMs)).fitting.length;
    expect([0, 500, 1_000, 60_000].map(count)).toEqual([4, 8, 16, 192]);
  });
});
