import { type Executor, statement } from '#libs/database';
import type { CalendarDay } from '../domain/calendar-days.js';
import type { Counts, QuarterHour } from '../domain/activity.js';

/**
 * Adds counts in a fixed order of keys, so that two writers never deadlock. The executor's search_path selects the stored
 * rollup or the shadow tables of a rebuild.
 */
export async function addToRollup(executor: Executor, counted: readonly QuarterHour[]): Promise<void> {
  if (counted.length === 0) return;
  await executor.query(ADD, [
    counted.map((row) => row.brandId),
    counted.map((row) => row.quarterHour),
    counted.map((row) => row.created),
    counted.map((row) => row.suggested),
    counted.map((row) => row.approved),
    counted.map((row) => row.rejected),
    counted.map((row) => row.scheduled),
    counted.map((row) => row.published),
    counted.map((row) => row.failed),
  ]);
}

export interface BrandDay extends CalendarDay {
  readonly brandId: string;
}

/** The counts of the days, in the order of `days`; zeros for days without activity. */
export function readRollup(executor: Executor, days: readonly BrandDay[]): Promise<Counts[]> {
  return executor.query<Counts>(READ, [
    days.map((day) => day.brandId),
    days.map((day) => day.startsAt),
    days.map((day) => day.endsAt),
  ]);
}

const ADD = statement(
  'content_ops_rollup_add',
  `INSERT INTO daily_rollup AS known
     (brand_id, quarter_hour, created, suggested, approved, rejected, scheduled, published, failed)
   SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[])
   ON CONFLICT (brand_id, quarter_hour) DO UPDATE SET
     created = known.created + excluded.created,
     suggested = known.suggested + excluded.suggested,
     approved = known.approved + excluded.approved,
     rejected = known.rejected + excluded.rejected,
     scheduled = known.scheduled + excluded.scheduled,
     published = known.published + excluded.published,
     failed = known.failed + excluded.failed`,
);

const READ = statement(
  'content_ops_rollup_read',
  `SELECT coalesce(sum(created), 0)::int AS created,
          coalesce(sum(suggested), 0)::int AS suggested,
          coalesce(sum(approved), 0)::int AS approved,
          coalesce(sum(rejected), 0)::int AS rejected,
          coalesce(sum(scheduled), 0)::int AS scheduled,
          coalesce(sum(published), 0)::int AS published,
          coalesce(sum(failed), 0)::int AS failed
   FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS day (brand_id, starts_at, ends_at, place)
   LEFT JOIN content_ops.daily_rollup known
     ON known.brand_id = day.brand_id AND known.quarter_hour >= day.starts_at AND known.quarter_hour < day.ends_at
   GROUP BY place
   ORDER BY place`,
);
