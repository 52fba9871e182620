import { randomUUID } from 'node:crypto';
import type { PostState } from './posts-in-states.js';

/** A member of an organization of some size, who can call the business API. */
export interface Member {
  readonly brandId: string;
  /** @returns the body. @throws Error for a refusal */
  readonly ask: (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ) => Promise<unknown>;
  /** A post in this state that no operation has had. */
  postIn(state: PostState): Promise<string>;
}

export type Operations = Readonly<Record<string, (member: Member) => Promise<unknown>>>;

const HOUR_MS = 3_600_000;
/** Up to four years ahead, so that posts of operations are hardly ever close to each other. */
export const someTime = () =>
  new Date(Date.now() + (30 + Math.random() * 1_400) * 24 * HOUR_MS).toISOString();
const newPost = ({ brandId }: Member, more: object = {}) => ({
  ...{ brandId, platform: 'x', text: `Post ${randomUUID()}` },
  ...more,
});

const TODAY = () => new Date().toISOString().slice(0, 10);
const DAY = () => new Date(Date.now() + 24 * HOUR_MS).toISOString();

const get = (path: string) => (member: Member) => member.ask('GET', path);
/** A page and the one that its cursor leads to. */
const pages = (path: string) => async (member: Member) => {
  const { pagination } = (await member.ask('GET', path)) as { pagination: { nextCursor: string | null } };
  return member.ask('GET', `${path}${path.includes('?') ? '&' : '?'}cursor=${pagination.nextCursor}`);
};
/** An action on a post that no other operation has changed. */
const act = (state: PostState, action: string, body: () => object) => async (member: Member) =>
  member.ask('POST', `/api/content-ops/items/${await member.postIn(state)}/${action}`, body());

const CREATIONS: Operations = {
  'a draft': (member) => member.ask('POST', '/api/posts', newPost(member)),
  'a scheduled post': (member) =>
    member.ask('POST', '/api/posts', newPost(member, { scheduledAt: someTime() })),
  'a batch': ({ brandId, ask }) =>
    ask('POST', '/api/posts/batch', {
      ...{ brandId, text: `Post ${randomUUID()}` },
      posts: [{ platform: 'x' }, { platform: 'threads' }],
    }),
  'a preflight': (member) => member.ask('POST', '/api/posts/preflight', newPost(member)),
};

const CHANGES: Operations = {
  'a change of a draft': async (member) =>
    member.ask('PUT', `/api/posts/${await member.postIn('draft')}`, { text: `Post ${randomUUID()}` }),
  'a change of an item': async (member) =>
    member.ask('PATCH', `/api/content-ops/items/${await member.postIn('suggested')}`, {
      text: `Post ${randomUUID()}`,
    }),
  'a deletion': async (member) => member.ask('DELETE', `/api/posts/${await member.postIn('draft')}`),
  'an approval': act('suggested', 'approve', () => ({})),
  'a rejection': act('proposed', 'reject', () => ({})),
  'a reschedule': act('scheduled', 'reschedule', () => ({ scheduledAt: someTime() })),
  'a retry': act('failed', 'retry', () => ({})),
  'a resolution': act('unconfirmed', 'resolve', () => ({ delivered: false })),
};

const LISTS: Operations = {
  'pages of posts': pages('/api/posts?includeTotal=false'),
  'posts and their total': get('/api/posts'),
  'failed posts': pages('/api/posts?status=failed'),
  'posts of a network without any': get('/api/posts?platform=threads'),
  'a day of the calendar': (member) =>
    member.ask('GET', `/api/posts?from=${new Date().toISOString()}&to=${DAY()}`),
  'a post': async (member) => member.ask('GET', `/api/posts/${await member.postIn('draft')}`),
  'an item': async (member) => member.ask('GET', `/api/content-ops/items/${await member.postIn('draft')}`),
  'pages of the queue': pages('/api/content-ops/queue'),
  'the scheduled part of the queue': pages('/api/content-ops/queue?state=scheduled'),
  'the queue of a network': get('/api/content-ops/queue?platform=x'),
  'the widget': get('/api/widget'),
};

const ACTIVITY: Operations = {
  'a day of activity': (member) => member.ask('GET', `/api/content-ops/daily?from=${TODAY()}&to=${TODAY()}`),
  'the oldest events': pages('/api/content-ops/events'),
  'the newest events': pages('/api/content-ops/events?order=desc'),
  'events of a rare kind': get('/api/content-ops/events?kind=post.deleted'),
  'the newest events of a kind that no event has': get(
    '/api/content-ops/events?order=desc&kind=post.nothing',
  ),
  'events of two kinds': get('/api/content-ops/events?kind=post.deleted,post.edited'),
  'events of a rare actor': get('/api/content-ops/events?actor=rare'),
  'the newest events of an actor of none': get('/api/content-ops/events?order=desc&actor=none'),
  'events of a post': get(`/api/content-ops/events?contentId=${randomUUID()}`),
};

const OTHERS: Operations = {
  brands: get('/api/brands'),
  'a brand': ({ brandId, ask }) => ask('GET', `/api/brands/${brandId}`),
  'a change of a brand': ({ brandId, ask }) => ask('PUT', `/api/brands/${brandId}`, { name: 'Acme' }),
  integrations: get('/api/integrations'),
  'pages of files': pages('/api/media?includeTotal=false'),
  'files and their total': get('/api/media'),
  videos: pages('/api/media?kind=video&includeTotal=false'),
  'files of a tag': pages('/api/media?tag=campaign&includeTotal=false'),
  'files of a rare word': get('/api/media?q=quetzal'),
  'files of a word that no file has': get('/api/media?q=xylograph'),
};

/** What members do outside contacts; each the same for a brand with few rows and with many. */
export const OPERATIONS: Operations = { ...CREATIONS, ...CHANGES, ...LISTS, ...ACTIVITY, ...OTHERS };
