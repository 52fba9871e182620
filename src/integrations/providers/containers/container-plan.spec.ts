import type { Prepared } from '../../domain/provider-publishing.js';
import * as plan from './container-plan.js';

const prepared = (more: Partial<Prepared> = {}): Prepared => ({
  ids: {},
  addresses: {},
  notes: {},
  ageMs: 0,
  ...more,
});

describe('the plan of a container', () => {
  it('has one container, or one for each file and one for all', () => {
    expect([0, 1, 2].map((files) => plan.stepName(plan.firstContainer(files)))).toEqual([
      'container',
      'container',
      'item/0',
    ]);
    expect([0, 1].map((file) => plan.stepName(plan.afterItem(file, 2)))).toEqual(['item/1', 'item-status/0']);
    expect([0, 1].map((file) => plan.stepName(plan.afterItemStatus(file, 2)))).toEqual([
      'item-status/1',
      'container',
    ]);
  });

  it.each(['quota', 'container', 'status', 'item/1', 'item-status/1'])('reads %s again', (name) => {
    expect(plan.stepName(plan.stepOf(name, 2))).toBe(name);
  });

  it.each(['', 'item/2', 'item/', 'upload/1', 'toString'])('begins with the containers for %j', (name) => {
    expect(plan.stepName(plan.stepOf(name, 2))).toBe('item/0');
  });

  it('uses containers for nine tenths of a day from the first one on', () => {
    const { notes, ids } = plan.created(prepared(), { call: 'item', file: 0 }, '1');
    const later = plan.created(prepared({ ids, ageMs: 9_000_000 }), { call: 'container' }, '2');
    const all = { ids: { ...ids, ...later.ids }, notes: { ...notes, ...later.notes } };
    expect(all).toEqual({
      ids: { 'item-0': '1', container: '2' },
      notes: { waited: '0', until: '77760000' },
    });
    expect(plan.hasExpired(prepared({ ...all, ageMs: 77_760_000 }))).toBe(false);
    expect(plan.hasExpired(prepared({ ...all, ageMs: 77_760_001 }))).toBe(true);
    expect(plan.hasExpired(prepared())).toBe(false);
  });

  it.each([
    ['picture', [3_000, 3_000, 6_000, 12_000, 24_000, 48_000, 60_000], 20],
    ['video', [10_000, 10_000, 20_000, 40_000, 60_000, 60_000], 80],
  ] as const)(
    'waits for a %s twice as long each time, at most a minute, within a budget',
    (kind, first, most) => {
      const waits: number[] = [];
      let notes: Prepared['notes'] = {};
      for (;;) {
        const response = plan.wait(prepared({ notes }), { call: 'status' }, kind);
        if (response?.kind !== 'wait') break;
        waits.push(response.milliseconds);
        notes = response.notes ?? {};
      }
      expect(waits.slice(0, first.length)).toEqual(first);
      expect(waits.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(plan.POLL_BUDGETS_MS[kind]);
      expect(waits.length).toBeLessThan(most);
      expect(plan.wait(prepared({ notes: { waited: 'x' } }), { call: 'status' }, kind)).toBeNull();
    },
  );
});
