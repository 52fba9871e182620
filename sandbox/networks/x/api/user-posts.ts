import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import { couldNotFind, invalidRequest } from '../state/problems.js';
import { compareIds } from '../../kit/state/snowflakes.js';
import type { X } from '../state/x.js';
import type { XPost } from '../state/x-posts.js';
import { isRefusal, postFieldsAskedFor } from './fields.js';
import { POST_FIELDS, postView } from './post-view.js';

/** As far back as X shows a timeline. */
const MAX_DEPTH = 3_200;
const ID = /^[0-9]{1,19}$/;

interface Window {
  readonly size: number;
  readonly keeps: (post: XPost) => boolean;
}

/** GET /2/users/:id/tweets, newest first. */
export function userPosts(x: X, call: Call): SandboxResponse {
  const { query } = call;
  const userId = call.params.id ?? '';
  if (!ID.test(userId)) return invalidParameter('id', userId, 'is not valid');
  const fields = postFieldsAskedFor(query, POST_FIELDS);
  if (isRefusal(fields)) return fields;
  const window = windowIn(query);
  if ('status' in window) return window;
  if (!x.accounts.find(userId)) return couldNotFind('user', userId);
  const posts = x.posts.by(userId).slice(-MAX_DEPTH).reverse().filter(window.keeps);
  const shown = posts.slice(0, window.size);
  const [newest, oldest] = [shown.at(0)?.id, shown.at(-1)?.id];
  if (newest === undefined || oldest === undefined) return json(200, { meta: { result_count: 0 } });
  const next = posts.length > shown.length ? { next_token: asToken(oldest) } : {};
  return json(200, {
    data: shown.map((post) => postView(x, post, fields)),
    meta: { result_count: shown.length, newest_id: newest, oldest_id: oldest, ...next },
  });
}

/** The filter of the parameters, or X's error for one of them. */
function windowIn(query: URLSearchParams): Window | SandboxResponse {
  const size = Number(query.get('max_results') ?? '10');
  if (!Number.isInteger(size) || size < 5 || size > 100) {
    return invalidParameter('max_results', query.get('max_results') ?? '', 'is not between 5 and 100');
  }
  const [start, end] = [instant(query, 'start_time'), instant(query, 'end_time')];
  if (start === null)
    return invalidParameter('start_time', query.get('start_time') ?? '', 'is not a valid RFC 3339 time');
  if (end === null)
    return invalidParameter('end_time', query.get('end_time') ?? '', 'is not a valid RFC 3339 time');
  const token = query.get('pagination_token');
  const before = token === null ? undefined : fromToken(token);
  if (before === null) return invalidParameter('pagination_token', token ?? '', 'is not valid');
  const [sinceId, untilId] = [query.get('since_id'), query.get('until_id')];
  const withoutReplies = (query.get('exclude') ?? '').split(',').includes('replies');
  const keeps = (post: XPost): boolean =>
    (start === undefined || post.createdAt >= start) &&
    (end === undefined || post.createdAt < end) &&
    (before === undefined || compareIds(post.id, before) < 0) &&
    (sinceId === null || compareIds(post.id, sinceId) > 0) &&
    (untilId === null || compareIds(post.id, untilId) < 0) &&
    !(withoutReplies && post.inReplyTo !== null);
  return { size, keeps };
}

/** Undefined without the parameter, null when it is no instant. */
function instant(query: URLSearchParams, name: string): string | undefined | null {
  const text = query.get(name);
  if (text === null) return undefined;
  const isRfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const milliseconds = Date.parse(text);
  return isRfc3339 && !Number.isNaN(milliseconds) ? new Date(milliseconds).toISOString() : null;
}

const asToken = (id: string): string => Buffer.from(`before:${id}`).toString('base64url');

function fromToken(token: string): string | null {
  return /^before:([0-9]{1,19})$/.exec(Buffer.from(token, 'base64url').toString())?.[1] ?? null;
}

const invalidParameter = (name: string, value: string, problem: string): SandboxResponse =>
  invalidRequest(`The \`${name}\` query parameter value [${value}] ${problem}`, { [name]: [value] });
