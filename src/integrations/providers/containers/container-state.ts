import { memberOf, wordsIn } from '../values.js';
import type { ContainerState } from './container-network.js';

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
  const kind = STATES.get(state);
  return kind ? { kind } : null;
}
