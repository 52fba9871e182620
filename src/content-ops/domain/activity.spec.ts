import fc from 'fast-check';
import { ACTIVITIES, type Countable, countActivity, NO_ACTIVITY } from './activity.js';

const BRAND = '11111111-0000-7000-8000-000000000001';
const happened = (
  type: string,
  at: string,
  data: unknown = {},
  brandId: string | null = BRAND,
): Countable => ({
  type,
  at,
  data,
  metadata: { brandId },
});

describe('counting activity', () => {
  it('counts a suggestion as created, and a reschedule as scheduled', () => {
    const at = '2026-01-15T10:07:30.000Z';
    expect(
      countActivity([
        happened('PostSuggested', at),
        happened('PostDrafted', at),
        happened('PostApproved', at),
        happened('PostScheduled', at),
        happened('PostRescheduled', at),
        happened('PostRejected', at),
        happened('PostPublishFailed', at),
        happened('PostPublished', at),
        happened('PostEdited', at),
        happened('BrandCreated', at),
      ]),
    ).toEqual([
      {
        brandId: BRAND,
        quarterHour: '2026-01-15T10:00:00.000Z',
        created: 2,
        suggested: 1,
        approved: 1,
        rejected: 1,
        scheduled: 2,
        published: 1,
        failed: 1,
      },
    ]);
  });

  it('keeps what was scheduled in its own quarter-hour when it is published later', () => {
    const counted = countActivity([
      happened('PostPublished', '2026-01-16T10:15:00.000Z'),
      happened('PostScheduled', '2026-01-15T10:14:59.999Z'),
    ]);
    expect(counted).toEqual([
      { brandId: BRAND, quarterHour: '2026-01-15T10:00:00.000Z', ...NO_ACTIVITY, scheduled: 1 },
      { brandId: BRAND, quarterHour: '2026-01-16T10:15:00.000Z', ...NO_ACTIVITY, published: 1 },
    ]);
  });

  it('counts a delivery that was settled as published, once', () => {
    const at = '2026-01-15T10:00:00.000Z';
    const settled = (delivered: boolean) => countActivity([happened('DeliveryResolved', at, { delivered })]);
    expect(settled(true)[0]?.published).toBe(1);
    expect(settled(false)).toEqual([]);
  });

  it('counts a delivery that was confirmed later when the post was published', () => {
    const data = { delivered: true, publishedAt: '2026-01-14T23:59:59.999Z' };
    expect(countActivity([happened('DeliveryResolved', '2026-01-16T09:00:00.000Z', data)])).toEqual([
      { brandId: BRAND, quarterHour: '2026-01-14T23:45:00.000Z', ...NO_ACTIVITY, published: 1 },
    ]);
  });

  it('leaves out what belongs to no brand', () => {
    expect(countActivity([happened('PostDrafted', '2026-01-15T10:00:00.000Z', {}, null)])).toEqual([]);
  });

  it('adds up to the same counts however the log is cut into batches', () => {
    const event = fc.record({
      type: fc.constantFrom(
        'PostDrafted',
        'PostSuggested',
        'PostScheduled',
        'PostPublished',
        'PostPublishFailed',
      ),
      minute: fc.integer({ min: 0, max: 120 }),
      brand: fc.constantFrom(BRAND, '11111111-0000-7000-8000-000000000002'),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (outlines, size) => {
        const log = outlines.map(({ type, minute, brand }) =>
          happened(type, new Date(Date.UTC(2026, 0, 15, 10, minute)).toISOString(), {}, brand),
        );
        const batches = Array.from({ length: Math.ceil(log.length / size) }, (_, index) =>
          log.slice(index * size, (index + 1) * size),
        );
        expect(added(batches.flatMap(countActivity))).toEqual(added(countActivity(log)));
      }),
    );
  });
});

function added(rows: ReturnType<typeof countActivity>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows) {
    for (const activity of ACTIVITIES) {
      const key = `${row.brandId} ${row.quarterHour} ${activity}`;
      sums[key] = (sums[key] ?? 0) + row[activity];
    }
  }
  return sums;
}
