import type { Platform } from '#libs/content';
import { PLATFORMS } from '../../integrations/index.js';
import { STATUSES } from '../domain/post.js';
import type { Condition } from './posts.page.js';
import { QUEUE_RANKS, QUEUE_STATES, type QueueState } from '../domain/queue.js';

/** Filters of lists; undefined does not filter. */
export interface PostFilters {
  readonly brandId?: string;
  readonly threadId?: string;
  /** Without duplicates. */
  readonly statuses?: readonly string[];
  readonly platforms?: readonly Platform[];
  /** Instants: a range of published, scheduled or proposed times. From inclusive, to exclusive. */
  readonly from?: string;
  readonly to?: string;
}

export type QueueFilters = Omit<PostFilters, 'threadId' | 'statuses'> & {
  readonly states?: readonly QueueState[];
};

const one = (key: string, sql: string, value: unknown): Condition[] =>
  value === undefined ? [] : [{ key, sql, value }];

const brandOf = ({ brandId }: Pick<PostFilters, 'brandId'>) =>
  one('brandid', 'v.brand_id = $::uuid', brandId);

const calendarOf = ({ from, to }: Pick<PostFilters, 'from' | 'to'>) => [
  ...one('from', 'v.calendar_at >= $::timestamptz', from),
  ...one('to', 'v.calendar_at < $::timestamptz', to),
];

const platformsOf = (platforms: readonly Platform[]): Condition => ({
  key: 'platforms',
  sql: 'v.platform = ANY($::text[])',
  value: platforms,
  each: { column: 'v.platform', type: 'text' },
});

/**
 * Status and platform precede the order in the indexes, so a missing filter is expanded to all values. A thread is short:
 * its own index reads all parts, and the other filters apply afterwards.
 */
export function conditionsOf(filters: PostFilters): Condition[] {
  const { threadId, statuses, platforms, from, to } = filters;
  if (threadId !== undefined)
    return [
      ...brandOf(filters),
      ...one('threadid', 'v.thread_id = $::uuid', threadId),
      ...one('statuses', 'v.status = ANY($::text[])', statuses),
      ...one('platforms', 'v.platform = ANY($::text[])', platforms),
      ...calendarOf(filters),
    ];
  const isOnCalendar = from !== undefined || to !== undefined;
  const isNarrowed = isOnCalendar || statuses !== undefined || platforms !== undefined;
  if (!isNarrowed) return brandOf(filters);
  return [
    ...brandOf(filters),
    {
      key: 'statuses',
      sql: 'v.status = ANY($::text[])',
      value: statuses ?? STATUSES,
      each: { column: 'v.status', type: 'text' },
    },
    platforms || isOnCalendar
      ? platformsOf(platforms ?? PLATFORMS)
      : { ...platformsOf(PLATFORMS), isAll: true },
    ...calendarOf(filters),
  ];
}

/** Ranks whose `queue_at` is a calendar time: pending with a proposed time, and scheduled. */
const BY_CALENDAR = '(2, 5)';

/** A state is one or two ranks, the first column of the queue's index. */
export function queueConditionsOf(filters: QueueFilters): Condition[] {
  const { states, platforms, from, to } = filters;
  const isCalendar = from !== undefined || to !== undefined;
  const ranks: Condition = {
    key: 'ranks',
    sql: 'v.queue_rank = ANY($::smallint[])',
    value: (states ?? QUEUE_STATES).flatMap((state) => QUEUE_RANKS[state]),
    each: { column: 'v.queue_rank', type: 'smallint' },
  };
  const bound = (infinity: string) =>
    `CASE WHEN each_ranks.value IN ${BY_CALENDAR} THEN $::timestamptz ELSE timestamptz '${infinity}' END`;
  return [
    { key: 'queued', sql: 'v.queue_state IS NOT NULL' },
    ...brandOf(filters),
    ...(states || isCalendar ? [ranks] : []),
    ...(platforms ? [platformsOf(platforms)] : []),
    ...calendarOf(filters),
    ...one('placed_from', `v.queue_at >= ${bound('-infinity')}`, from),
    ...one('placed_to', `v.queue_at < ${bound('infinity')}`, to),
  ];
}
