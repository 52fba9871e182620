export const ACTIVITIES = [
  'created',
  'suggested',
  'approved',
  'rejected',
  'scheduled',
  'published',
  'failed',
] as const;

export type Activity = (typeof ACTIVITIES)[number];
export type Counts = Record<Activity, number>;

/** Counts of one brand in the quarter-hour that begins at `quarterHour` (UTC, RFC 3339). */
export interface QuarterHour extends Counts {
  readonly brandId: string;
  readonly quarterHour: string;
}

/** The part of a recorded event that counting uses. */
export interface Countable {
  readonly type: string;
  readonly data: unknown;
  readonly at: string;
  readonly metadata: { readonly brandId: string | null };
}

const COUNTED: Readonly<Record<string, readonly Activity[]>> = {
  PostDrafted: ['created'],
  PostSuggested: ['created', 'suggested'],
  PostApproved: ['approved'],
  PostRejected: ['rejected'],
  PostScheduled: ['scheduled'],
  PostRescheduled: ['scheduled'],
  PostPublished: ['published'],
  PostPublishFailed: ['failed'],
};

/**
 * Counts each event once, in the quarter-hour of its timestamp; a delivery confirmed later in that of the post's
 * `publishedAt`. Later events never reduce a count. The result does not depend on order or batches: the counts of two
 * batches add up.
 */
export function countActivity(events: readonly Countable[]): QuarterHour[] {
  const counted = new Map<string, QuarterHour>();
  for (const event of events) {
    const { brandId } = event.metadata;
    const activities = activitiesOf(event);
    if (!brandId || activities.length === 0) continue;
    const quarterHour = quarterHourOf(happenedAt(event));
    const key = `${brandId} ${quarterHour}`;
    const counts = counted.get(key) ?? { brandId, quarterHour, ...NO_ACTIVITY };
    for (const activity of activities) counts[activity] += 1;
    counted.set(key, counts);
  }
  return [...counted.keys()].sort().flatMap((key) => counted.get(key) ?? []);
}

export const NO_ACTIVITY = Object.freeze(
  Object.fromEntries(ACTIVITIES.map((activity) => [activity, 0])),
) as Readonly<Counts>;

function activitiesOf(event: Countable): readonly Activity[] {
  if (event.type === 'DeliveryResolved') return wasDelivered(event.data) ? ['published'] : [];
  return COUNTED[event.type] ?? [];
}

/** For unknown shapes of events, the time of recording. */
function happenedAt({ type, data, at }: Countable): string {
  if (type !== 'DeliveryResolved') return at;
  const { publishedAt } = data as { publishedAt?: unknown };
  return typeof publishedAt === 'string' && !Number.isNaN(Date.parse(publishedAt)) ? publishedAt : at;
}

/** Whether an unconfirmed delivery was settled as published. Its counted failure stays. */
function wasDelivered(data: unknown): boolean {
  return (data as { delivered?: unknown } | null)?.delivered === true;
}

const QUARTER_HOUR_MS = 15 * 60_000;

function quarterHourOf(at: string): string {
  const instant = new Date(at).getTime();
  return new Date(instant - (instant % QUARTER_HOUR_MS)).toISOString();
}
