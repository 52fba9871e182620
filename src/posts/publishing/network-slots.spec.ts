import { randomUUID } from 'node:crypto';
import { loadConfig } from '#libs/config';
import type { Platform } from '#libs/content';
import { NetworkSlots } from './network-slots.js';
import { PublishConfig } from './publish.config.js';

const [slow, second, quick] = ['slow', 'second', 'quick'] as Platform[] as [Platform, Platform, Platform];
/** Each of another organization, unless one is given. */
const some = (
  platform: Platform,
  count: number,
  more: { recoveredMs?: number; organizationId?: string } = {},
) =>
  Array.from({ length: count }, () => ({
    platform,
    organizationId: randomUUID(),
    recoveredMs: null,
    ...more,
  }));
const slots = (concurrency: number) =>
  new NetworkSlots(loadConfig(PublishConfig, { PUBLISH_CONCURRENCY: String(concurrency) }));

describe('the slots of a worker', () => {
  it('stay free for other networks, however many posts of one are due', () => {
    const shared = slots(256);
    const { fitting, full } = shared.fit(some(slow, 1_000));
    expect([fitting.length, full]).toEqual([192, [slow]]);
    for (const post of fitting) shared.begin(post);
    expect(shared.full()).toEqual([slow]);
    const others = some(quick, 10);
    expect(shared.fit([...some(slow, 10), ...others])).toMatchObject({ fitting: others, full: [slow] });
  });

  it('stay free for a third network while two are slow', () => {
    const shared = slots(256);
    for (const post of shared.fit(some(slow, 1_000)).fitting) shared.begin(post);
    for (const post of shared.fit(some(second, 1_000)).fitting) shared.begin(post);
    expect(shared.fit(some(quick, 10)).fitting).toHaveLength(10);
  });

  it('are used again when a post ends', () => {
    const shared = slots(4);
    const [first] = some(slow, 1);
    if (first) shared.begin(first);
    for (const post of shared.fit(some(slow, 10)).fitting) shared.begin(post);
    expect(shared.fit(some(slow, 1)).fitting).toEqual([]);
    if (first) shared.end(first);
    expect(shared.fit(some(slow, 1)).fitting).toHaveLength(1);
  });

  it('stay free for other organizations on the same network', () => {
    const shared = slots(256);
    const own = some(slow, 1_000, { organizationId: 'own' });
    const { fitting, full, fullOrganizations } = shared.fit(own);
    expect([fitting.length, full, fullOrganizations]).toEqual([168, [], [own.at(-1)]]);
    expect(shared.isShort()).toBe(false);
    for (const post of fitting) shared.begin(post);
    expect(shared.isShort()).toBe(true);
    const others = some(slow, 10);
    expect(shared.fit([...own, ...others])).toMatchObject({ fitting: others, full: [] });
    expect(shared.fit([...own, ...some(quick, 10, { organizationId: 'own' })]).fitting).toHaveLength(10);
  });

  it('serve a worker of one slot', () => {
    expect(slots(1).fit(some(slow, 2)).fitting).toHaveLength(1);
  });

  it('are given step by step to a network that was down', () => {
    const count = (recoveredMs: number) => slots(256).fit(some(slow, 1_000, { recoveredMs })).fitting.length;
    expect([0, 500, 1_000, 60_000].map(count)).toEqual([4, 8, 16, 192]);
  });
});
