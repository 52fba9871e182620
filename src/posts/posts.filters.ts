import type { Platform } from './post.events.js';
import type { Condition } from './posts.page.js';

/** What lists of posts can be narrowed by; what is undefined does not narrow. */
export interface PostFilters {
  readonly brandId?: string;
  readonly threadId?: string;
  /** Different ones. */
  readonly statuses?: readonly string[];
  readonly platforms?: readonly Platform[];
  readonly queueStates?: readonly string[];
  /** Instants, on the calendar: when it went out, will go out, or is proposed to. From inclusive, to exclusive. */
  readonly from?: string;
  readonly to?: string;
}

const SQL: { readonly [Filter in keyof PostFilters]-?: string } = {
  brandId: 'v.brand_id = $::uuid',
  threadId: 'v.thread_id = $::uuid',
  statuses: 'v.status = ANY($::text[])',
  platforms: 'v.platform = ANY($::text[])',
  queueStates: '(v.queue_state IS NOT NULL AND v.queue_state = ANY($::text[]))',
  from: 'v.calendar_at >= $::timestamptz',
  to: 'v.calendar_at < $::timestamptz',
};

const EACH: { readonly [Filter in keyof PostFilters]?: string } = { statuses: 'v.status' };

export const conditionsOf = (filters: PostFilters): Condition[] =>
  (Object.keys(SQL) as (keyof PostFilters)[]).flatMap((key) => {
    const value = filters[key];
    return value === undefined ? [] : [{ key: key.toLowerCase(), sql: SQL[key], value, each: EACH[key] }];
  });
