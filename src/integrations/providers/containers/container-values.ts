import type { OutboundResponse } from '#libs/outbound-http';
import { readGraphError } from '../graph/graph-errors.js';
import { memberOf, wordsIn, addressIn, textLike } from '../values.js';
import type { ContainerState, ShownPost } from './container-network.js';

/** UTF-16 units of the reason of a failed container. */
const MAX_REASON = 500;

const STATES = new Map<unknown, Exclude<ContainerState['kind'], 'error'>>([
  ['IN_PROGRESS', 'in-progress'],
  ['FINISHED', 'finished'],
  ['PUBLISHED', 'published'],
  ['EXPIRED', 'expired'],
]);

/** The state of a container by the names of its fields; null: not readable. */
export function containerStateIn(
  body: unknown,
  stateField: string,
  reasonField: string,
): ContainerState | null {
  const state = memberOf(body, stateField);
  if (state === 'ERROR') return { kind: 'error', reason: wordsIn(memberOf(body, reasonField), MAX_REASON) };
  if (wordsIn(state, MAX_REASON) === null) return null;
  return { kind: STATES.get(state) ?? 'other' };
}

/** Code 100, subcode 33. Now and then, the network answers so about an object that it has (postiz-app #1562). */
const NOT_FOUND = { code: 100, subcode: 33 };

export function isNotFound(response: OutboundResponse): boolean {
  if (response.kind !== 'answered' || response.status < 400 || response.status >= 500) return false;
  const { code, subcode } = readGraphError(response.status, response.body);
  return code === NOT_FOUND.code && subcode === NOT_FOUND.subcode;
}

/** Ids of posts are 64-bit numbers in decimal. */
const ID = /^\d{1,25}$/;

/** The id of a post; null for anything else. */
export const postIdIn = (value: unknown): string | null => textLike(ID, value);

/** A post of a list. @param textField the network's name of its text; absent in posts without one */
export function shownPostIn(item: unknown, textField: string): ShownPost | null {
  const id = postIdIn(memberOf(item, 'id'));
  if (id === null) return null;
  const text = memberOf(item, textField);
  const timestamp = memberOf(item, 'timestamp');
  const publishedAt = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
  return {
    id,
    text: typeof text === 'string' ? text.normalize('NFC') : '',
    permalink: addressIn(memberOf(item, 'permalink')),
    publishedAt: Number.isNaN(publishedAt) ? null : publishedAt,
  };
}
