import { type OutboundResponse, retryAfterIn } from '#libs/outbound-http';
import type { ChannelDto, UploadProgressDto } from './upload.dto.js';

export type Answered = OutboundResponse & { readonly kind: 'answered' };

/** A refusal in the format of Google's APIs. */
export interface ProviderRefusal {
  readonly status: number;
  /** Google's reason, such as `quotaExceeded`; null: none was readable. */
  readonly reason: string | null;
  readonly retryAfterSeconds: number | null;
}

const DAY_IS_OVER = 'dailyLimitExceeded';
/** A quota of a day with the reason of a short one: `limit 'Video Uploads per day'` (google-api-python-client #2753). */
const namesDay = (message: unknown): boolean =>
  typeof message === 'string' && /quota exceeded.{0,200} per day'/i.test(message.slice(0, 1_000));

/** Longer than every reason that Google documents. */
const MAX_REASON = 100;
const LONGEST_WAIT_SECONDS = 86_400;
/** Ids of channels and videos (developers.google.com/youtube/v3/docs). */
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const RECEIVED = /^bytes=0-(\d{1,15})$/;

/**
 * `{error: {code, message, errors: [{domain, reason, message}]}}` (developers.google.com/youtube/v3/docs/errors), also with a status
 * of 500 and above: a reason is a definite answer of the API itself.
 */
export function refusalIn({ status, headers, body }: Answered): ProviderRefusal {
  const { error } = record(body);
  const [first] = list(record(error).errors);
  const reason = namesDay(record(error).message) ? DAY_IS_OVER : record(first).reason;
  const wait = (retryAfterIn(headers) ?? 0) / 1_000;
  return {
    status,
    reason: typeof reason === 'string' && /^[\w.-]+$/.test(reason) ? reason.slice(0, MAX_REASON) : null,
    retryAfterSeconds: wait > 0 && wait <= LONGEST_WAIT_SECONDS ? Math.ceil(wait) : null,
  };
}

/** The first channel; null: the account has none; undefined: not readable. */
export function channelIn(body: unknown): ChannelDto | null | undefined {
  const { items, kind } = record(body);
  if (items === undefined && typeof kind === 'string') return null;
  if (!Array.isArray(items)) return undefined;
  if (items.length === 0) return null;
  const { id, snippet } = record(items[0]);
  const { title, customUrl, thumbnails } = record(snippet);
  if (typeof id !== 'string' || !ID.test(id)) return undefined;
  const thumbnail = record(record(thumbnails).default).url;
  return {
    id,
    title: typeof title === 'string' ? title : id,
    handle: typeof customUrl === 'string' && customUrl !== '' ? customUrl : null,
    thumbnailUrl: typeof thumbnail === 'string' ? thumbnail : null,
  };
}

/**
 * The state after a part or a probe. 308 without `Range`: nothing was received. @returns null: not readable
 * @param total bytes of the file
 */
export function progressIn({ status, headers, body }: Answered, total: number): UploadProgressDto | null {
  if (status === 308) {
    const { range } = headers;
    if (range === undefined) return { state: 'incomplete', nextByte: 0, video: null };
    const last = Number(RECEIVED.exec(range)?.[1] ?? Number.NaN);
    return last < total ? { state: 'incomplete', nextByte: last + 1, video: null } : null;
  }
  const { id, status: state } = record(body);
  if ((status !== 200 && status !== 201) || typeof id !== 'string' || !ID.test(id)) return null;
  const privacy = record(state).privacyStatus;
  const video = { id, privacy: typeof privacy === 'string' ? privacy : null };
  return { state: 'complete', nextByte: null, video };
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
