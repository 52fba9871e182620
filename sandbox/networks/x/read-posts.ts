import { CallIsRefused, json } from '../../wire/response.js';
import { compareIds } from '../kit/state/snowflakes.js';
import { postFieldsAskedFor } from './fields.js';
import type { XPost } from './post-text.js';
import { POST_FIELDS, postView } from './post-view.js';
import { couldNotFind, forbidden, invalidRequest } from './problems.js';
import type { Handle } from './signed-in.js';

/** As far back as X shows a timeline. */
const MAX_DEPTH = 3_200;
const ID = /^[0-9]{1,19}$/;

interface Window {
  readonly size: number;
  readonly keeps: (post: XPost) => boolean;
}

/** GET /2/users/:id/tweets, newest first. */
export const userPosts: Handle = (x, call) => {
  const { query } = call;
  const userId = call.params.id ?? '';
  if (!ID.test(userId)) throw invalidParameter('id', userId, 'is not valid');
  const fields = postFieldsAskedFor(query, POST_FIELDS);
  const window = windowIn(query);
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
};

/** The filter of the parameters. @throws CallIsRefused */
function windowIn(query: URLSearchParams): Window {
  const size = Number(query.get('max_results') ?? '10');
  if (!Number.isInteger(size) || size < 5 || size > 100) {
    throw invalidParameter('max_results', query.get('max_results') ?? '', 'is not between 5 and 100');
  }
  const [start, end] = [instant(query, 'start_time'), instant(query, 'end_time')];
  if (start === null)
    throw invalidParameter('start_time', query.get('start_time') ?? '', 'is not a valid RFC 3339 time');
  if (end === null)
    throw invalidParameter('end_time', query.get('end_time') ?? '', 'is not a valid RFC 3339 time');
  const token = query.get('pagination_token');
  const before = token === null ? undefined : fromToken(token);
  if (before === null) throw invalidParameter('pagination_token', token ?? '', 'is not valid');
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

const invalidParameter = (name: string, value: string, problem: string): CallIsRefused =>
  new CallIsRefused(
    invalidRequest(`The \`${name}\` query parameter value [${value}] ${problem}`, { [name]: [value] }),
  );

/** GET /2/tweets/:id */
export const getPost: Handle = (x, call) => {
  const id = call.params.id ?? '';
  if (!ID.test(id)) throw invalidParameter('id', id, 'is not valid');
  const fields = postFieldsAskedFor(call.query, POST_FIELDS);
  const post = x.posts.find(id);
  return post ? json(200, { data: postView(x, post, fields) }) : couldNotFind('tweet', id);
};

/** DELETE /2/tweets/:id. Deleting what is gone succeeds again. */
export const deletePost: Handle = (x, call, caller) => {
  const id = call.params.id ?? '';
  if (!ID.test(id)) throw invalidParameter('id', id, 'is not valid');
  const post = x.posts.find(id);
  const deleted = json(200, { data: { deleted: true } });
  if (!post) return deleted;
  if (post.authorId !== caller.account.id) return forbidden('not-yours');
  const { effect, line } = x.effect(call, caller, { kind: 'post.deleted', id });
  x.posts.remove(post, line);
  return { ...deleted, effect };
};
