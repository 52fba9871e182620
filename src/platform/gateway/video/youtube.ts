import { Injectable } from '@nestjs/common';
import { OutboundHttp, type OutboundResponse, retryAfterIn, type StreamedBody } from '#libs/outbound-http';
import { YoutubeConfig } from './quota/quota.config.js';
import type { BeginUploadDto, ChannelDto, UploadProgressDto } from './upload.dto.js';

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

const UPLOADS = '/upload/youtube/v3/videos';

export interface Part {
  readonly start: number;
  readonly total: number;
  readonly body: StreamedBody;
}

/**
 * The calls to the YouTube Data API v3 (developers.google.com/youtube/v3/docs: channels.list, videos.insert, "Resumable uploads",
 * read 2026-11-21). Every call goes to the configured host.
 */
@Injectable()
export class Youtube {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: YoutubeConfig,
  ) {}

  channel(token: string): Promise<OutboundResponse> {
    const query = new URLSearchParams({ part: 'snippet,statistics', mine: 'true' });
    return this.http.send({
      method: 'GET',
      url: `${this.config.apiUrl}/youtube/v3/channels?${query.toString()}`,
      headers: authorized(token),
    });
  }

  begin(token: string, upload: BeginUploadDto): Promise<OutboundResponse> {
    const query = new URLSearchParams({ uploadType: 'resumable', part: 'snippet,status' });
    return this.http.send({
      method: 'POST',
      url: `${this.config.apiUrl}${UPLOADS}?${query.toString()}`,
      headers: {
        ...authorized(token),
        'content-type': 'application/json; charset=UTF-8',
        'x-upload-content-length': String(upload.bytes),
        'x-upload-content-type': upload.contentType,
      },
      body: JSON.stringify(resourceOf(upload)),
    });
  }

  /** @param session as `isSession` accepts it */
  send(token: string, session: string, { start, total, body }: Part): Promise<OutboundResponse> {
    const headers = {
      ...authorized(token),
      'content-range': `bytes ${start}-${start + body.length - 1}/${total}`,
      'content-type': 'application/octet-stream',
    };
    return this.http.send({ method: 'PUT', url: session, headers, body });
  }

  /** Asks how many bytes were received. Has no effect. */
  probe(token: string, session: string, total: number): Promise<OutboundResponse> {
    const headers = { ...authorized(token), 'content-length': '0', 'content-range': `bytes */${total}` };
    return this.http.send({ method: 'PUT', url: session, headers });
  }

  /** Whether this is the address of an upload on the configured host; the gateway sends to no other. */
  isSession(address: string | undefined): address is string {
    if (!address || !URL.canParse(address)) return false;
    const [session, uploads] = [new URL(address), new URL(this.config.apiUrl + UPLOADS)];
    const isBare = session.username === '' && session.password === '';
    return isBare && session.origin === uploads.origin && session.pathname === uploads.pathname;
  }
}

const authorized = (token: string) => ({ authorization: `Bearer ${token}` });

const resourceOf = (upload: BeginUploadDto) => ({
  snippet: {
    title: upload.title,
    description: upload.description,
    tags: upload.tags,
    categoryId: upload.categoryId,
  },
  status: {
    privacyStatus: upload.privacy,
    selfDeclaredMadeForKids: upload.madeForKids,
    containsSyntheticMedia: upload.containsSyntheticMedia,
  },
});
