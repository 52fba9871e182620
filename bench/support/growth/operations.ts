import { randomUUID } from 'node:crypto';
import type { PostState } from './posts-in-states.js';

/** A member of an organization of some size, who can call the business API. */
export interface Member {
  readonly brandId: string;
  /** @returns the body. @throws Error for a refusal */
  ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<unknown>;
  /** A post in this state that no operation has had. */
  postIn(state: PostState): Promise<string>;
}

export type Operations = Readonly<Record<string, (member: Member) => Promise<unknown>>>;

const HOUR_MS = 3_600_000;
/** Up to four years ahead, so that posts of operations are hardly ever close to each other. */
const someTime = () => new Date(Date.now() + (30 + Math.random() * 1_400) * 24 * HOUR_MS).toISOString();
const newPost = ({ brandId }: Member, more: object = {}) => ({
  ...{ brandId, platform: 'x', text: `Post ${randomUUID()}` },
  ...more,
});

/** Posts and their queue. */
export const POST_OPERATIONS: Operations = {
  'a draft': (member) => member.ask('POST', '/api/posts', newPost(member)),
  'a scheduled post': (member) =>
    member.ask('POST', '/api/posts', newPost(member, { scheduledAt: someTime() })),
  'a change of a draft': async (member) =>
    member.ask('PUT', `/api/posts/${await member.postIn('draft')}`, { text: `Post ${randomUUID()}` }),
};
