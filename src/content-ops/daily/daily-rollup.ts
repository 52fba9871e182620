import { type Executor, statement } from '#libs/database';
import type { CalendarDay } from '../domain/calendar-days.js';
import { ACTIVITIES, type Counts, type QuarterHour } from '../domain/activity.js';

/**
 * Adds counts in a fixed order of keys, so that two writers never deadlock. The executor's search_path selects the stored
 * rollup or the shadow tables of a rebuild.
 */
export async function addToRollup(executor: Executor, counted: readonly QuarterHour[]): Promise<void> {
  if (counted.length === 0) return;
  await executor.query(ADD, [
    counted.map((row) => row.brandId),
    counted.map((row) => row.quarterHour),
    ...ACTIVITIES.map((activity) => counted.map((row) => row[activity])),
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
  `INSERT INTO daily_rollup AS known (brand_id, quarter_hour, ${ACTIVITIES.join(', ')})
   SELECT * FROM unnest($1::uuid[], $2::timestamptz[], ${ACTIVITIES.map((_, at) => `$${at + 3}::int[]`).join(', ')})
   ON CONFLICT (brand_id, quarter_hour) DO UPDATE
     SET ${ACTIVITIES.map((activity) => `${activity} = known.${activity} + excluded.${activity}`).join(', ')}`,
);

const READ = statement(
  'content_ops_rollup_read',
  `SELECT ${ACTIVITIES.map((activity) => `coalesce(sum(${activity}), 0)::int AS ${activity}`).join(', ')}
   FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS day (brand_id, starts_at, ends_at, place)
   LEFT JOIN content_ops.daily_rollup known
     ON known.brand_id = day.brand_id AND known.quarter_hour >= day.starts_at AND known.quarter_hour < day.ends_at
   GROUP BY place
   ORDER BY place`,
);
