import fc from 'fast-check';
import { FixedClock } from '#libs/clock/testing';
import type { RecordedEvent } from '#libs/event-store';
import { countActivity } from '../../src/content-ops/domain/activity.js';
import { addToRollup } from '../../src/content-ops/daily/daily-rollup.js';
import { GetDailyRollup, GetDailyRollupHandler } from '../../src/content-ops/queries/get-daily-rollup.js';
import { recordedEvents } from '../support/recorded-events.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const BRANDS = ['11111111-0000-7000-8000-000000000001', '11111111-0000-7000-8000-000000000002'] as const;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'America/Havana',
] as const;

/** Three weeks with a change of clocks in each hemisphere. */
const FROM = '2026-10-20';
const TO = '2026-11-09';

describe('the daily rollup', () => {
  let test: TestDatabase;
  const clock = new FixedClock(new Date('2026-11-09T12:00:00.000Z'));

  beforeAll(async () => {
    test = await createTestDatabase({ poolSize: 4 });
  });

  afterAll(() => test.drop());
  beforeEach(() => test.database.query('TRUNCATE content_ops.daily_rollup'));

  const handle = (events: RecordedEvent[]) =>
    test.database.transaction(async (transaction) => {
      await transaction.query("SET LOCAL search_path = 'content_ops'");
      await addToRollup(transaction, countActivity(events));
    });

  const replay = async (log: RecordedEvent[], batch: number) => {
    await test.database.query('TRUNCATE content_ops.daily_rollup');
    for (let start = 0; start < log.length; start += batch) await handle(log.slice(start, start + batch));
  };

  const ask = (request: Partial<GetDailyRollup['request']> = {}) =>
    new GetDailyRollupHandler(test.database, clock).execute(
      new GetDailyRollup({ brands: [{ id: BRANDS[0], timezone: 'UTC' }], from: FROM, to: TO, ...request }),
    );

  it('shows every day, also without activity, for every brand in the requested order', async () => {
    await handle(
      recordedEvents([{ type: 'PostDrafted', brandId: BRANDS[1], at: '2026-11-01T10:00:00.000Z' }]),
    );
    const brands = BRANDS.map((id) => ({ id, timezone: 'UTC' }));
    const days = await ask({ brands, from: '2026-10-31', to: '2026-11-01' });
    expect(days.map((day) => [day.brandId, day.date, day.created])).toEqual([
      [BRANDS[0], '2026-10-31', 0],
      [BRANDS[0], '2026-11-01', 0],
      [BRANDS[1], '2026-10-31', 0],
      [BRANDS[1], '2026-11-01', 1],
    ]);
  });

  it('does not lose the day something was scheduled on when it is published on another', async () => {
    await handle(
      recordedEvents([{ type: 'PostScheduled', brandId: BRANDS[0], at: '2026-11-01T23:59:59.999Z' }]),
    );
    await handle(
      recordedEvents([{ type: 'PostPublished', brandId: BRANDS[0], at: '2026-11-02T00:00:00.000Z' }]),
    );
    expect(await ask({ from: '2026-11-01', to: '2026-11-02' })).toMatchObject([
      { date: '2026-11-01', scheduled: 1, published: 0 },
      { date: '2026-11-02', scheduled: 0, published: 1 },
    ]);
  });

  it('groups counts by days in the time zone of the brand, or of the request', async () => {
    await handle(
      recordedEvents([{ type: 'PostPublished', brandId: BRANDS[0], at: '2026-11-01T18:20:00.000Z' }]),
    );
    const publishedOn = async (brandZone: string, timezone?: string) => {
      const days = await ask({ brands: [{ id: BRANDS[0], timezone: brandZone }], timezone });
      return days.filter((day) => day.published).map((day) => [day.date, day.timezone]);
    };
    expect(await publishedOn('UTC')).toEqual([['2026-11-01', 'UTC']]);
    expect(await publishedOn('Asia/Kathmandu')).toEqual([['2026-11-02', 'Asia/Kathmandu']]);
    expect(await publishedOn('UTC', 'Asia/Kathmandu')).toEqual([['2026-11-02', 'Asia/Kathmandu']]);
    expect(await publishedOn('UTC', 'Mars/Olympus')).toEqual([['2026-11-01', 'UTC']]);
    expect(await publishedOn('Mars/Olympus')).toEqual([['2026-11-01', 'UTC']]);
  });

  it('shows the last thirty days of each time zone without a range', async () => {
    clock.jumpTo(new Date('2026-11-09T11:30:00.000Z'));
    const brands = [
      { id: BRANDS[0], timezone: 'Etc/GMT+12' },
      { id: BRANDS[1], timezone: 'Pacific/Kiritimati' },
    ];
    const days = await ask({ brands, from: undefined, to: undefined });
    expect(days).toHaveLength(60);
    expect([days[29]?.date, days[59]?.date]).toEqual(['2026-11-08', '2026-11-10']);
  });

  it('is byte-identical for every batching of the log, and matches an independent count', async () => {
    const outline = fc.record({
      type: fc.constantFrom(
        'PostDrafted',
        'PostScheduled',
        'PostApproved',
        'PostPublished',
        'PostPublishFailed',
      ),
      brandId: fc.constantFrom(...BRANDS),
      at: fc
        .date({ min: new Date(`${FROM}T15:00:00Z`), max: new Date(`${TO}T09:00:00Z`), noInvalidDate: true })
        .map((at) => at.toISOString()),
    });
    const batch = fc.integer({ min: 1, max: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(outline, { maxLength: 80 }),
        fc.constantFrom(...ZONES),
        batch,
        async (outlines, zone, size) => {
          const log = recordedEvents(outlines);
          const brands = BRANDS.map((id) => ({ id, timezone: zone }));
          await replay(log, log.length || 1);
          const once = JSON.stringify(await ask({ brands }));
          expect(JSON.stringify(await ask({ brands }))).toBe(once);
          await replay(log, size);
          expect(JSON.stringify(await ask({ brands }))).toBe(once);
          expect(publishedByHand(outlines, zone)).toEqual(publishedIn(once));
        },
      ),
      { numRuns: 40 },
    );
  });
});

interface Row {
  brandId: string;
  date: string;
  published: number;
}

function publishedIn(answer: string): Record<string, number> {
  const rows = (JSON.parse(answer) as Row[]).filter((row) => row.published > 0);
  return Object.fromEntries(rows.map((row) => [`${row.brandId} ${row.date}`, row.published]));
}

/** Without quarter-hours, day boundaries or SQL: by the local date of each event. */
function publishedByHand(
  outlines: { type: string; brandId: string; at: string }[],
  zone: string,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type, brandId, at } of outlines) {
    if (type !== 'PostPublished') continue;
    const key = `${brandId} ${new Date(at).toLocaleDateString('en-CA', { timeZone: zone })}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
