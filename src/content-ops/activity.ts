/** What a day is counted by. */
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

/** What happened to one brand's content in the quarter of an hour that begins at `quarterHour` (UTC, RFC 3339). */
export interface QuarterHour extends Counts {
  readonly brandId: string;
  readonly quarterHour: string;
}

/** The part of a recorded event that counting looks at. */
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
 * Each event counts once, in the quarter-hour of its own timestamp, a delivery that was confirmed later in that of the
 * post's `publishedAt`; nothing that happens later takes a count back.
 * Order does not matter and neither do batches: the counts of two batches added up are the counts of both together.
 */
export function countActivity(events: readonly Countable[]): QuarterHour[] {
  const counted = new Map<string, QuarterHour>();
  for (const event of events) {
    const { brandId } = event.metadata;
    const activities = activitiesOf(event);
    if (!brandId || activities.length === 0) continue;
    const quarterHour = quarterHourOf(happenedAt(event));
    const key = `${brandId} ${quarterHour}`;
    const counts = counted.get(key) ?? { brandId, quarterHour, ...NOTHING };
    for (const activity of activities) counts[activity] += 1;
    counted.set(key, counts);
  }
  return [...counted.keys()].sort().flatMap((key) => counted.get(key) ?? []);
}

export const NOTHING: Readonly<Counts> = Object.freeze({
  created: 0,
  suggested: 0,
  approved: 0,
  rejected: 0,
  scheduled: 0,
  published: 0,
  failed: 0,
});

function activitiesOf(event: Countable): readonly Activity[] {
  if (event.type === 'DeliveryResolved') return wasDelivered(event.data) ? ['published'] : [];
  return COUNTED[event.type] ?? [];
}

/** Events of other shapes than this release writes count when they were recorded. */
function happenedAt({ type, data, at }: Countable): string {
  if (type !== 'DeliveryResolved') return at;
  const { publishedAt } = data as { publishedAt?: unknown };
  return typeof publishedAt === 'string' && !Number.isNaN(Date.parse(publishedAt)) ? publishedAt : at;
}

/** A delivery that turned out to have arrived was published after all; its failure has been counted and stays so. */
function wasDelivered(data: unknown): boolean {
  return (data as { delivered?: unknown } | null)?.delivered === true;
}

const QUARTER_HOUR_MS = 15 * 60_000;

function quarterHourOf(at: string): string {
  const instant = new Date(at).getTime();
  return new Date(instant - (instant % QUARTER_HOUR_MS)).toISOString();
}
