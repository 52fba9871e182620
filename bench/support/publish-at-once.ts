import { setTimeout as sleep } from 'node:timers/promises';
import type { Effect, OutsideWorld } from './outside-world.js';
import type { Publishing } from './publishing.js';

/** How posts due at one instant were published, according to the network. */
export interface Round {
  readonly posts: number;
  /** From the instant to the first post on the network. */
  readonly firstSeconds: number;
  readonly lastSeconds: number;
  readonly early: number;
  readonly twice: number;
  readonly lost: number;
  /** Sent, and not recorded as published under the id the network gave. */
  readonly unrecorded: number;
}

const FIRST_LEAD_MS = 4_000;
/** Enough time to schedule all posts, even on a busy machine. */
const LEAD_MS_PER_POST = 3;
const POLL_MS = 250;
const PATIENCE_MS = 120_000;

/** Schedules the posts for an instant soon, waits until the worker has settled them, and asks the network. */
export async function publishAtOnce(
  outside: OutsideWorld,
  publishing: Publishing,
  posts: number,
): Promise<Round> {
  const before = (await outside.effectsAfter(0)).at(-1)?.sequence ?? 0;
  const dueAt = new Date(Date.now() + FIRST_LEAD_MS + LEAD_MS_PER_POST * posts);
  const ids = await publishing.schedule(posts, () => dueAt);
  await publishing.caughtUp();
  if (Date.now() >= dueAt.getTime()) throw new Error('The posts fell due before they were all scheduled.');
  await sleep(dueAt.getTime() - Date.now());
  while ((await publishing.unsettled(dueAt)) > 0) {
    if (Date.now() > dueAt.getTime() + PATIENCE_MS) break;
    await sleep(POLL_MS);
  }
  const effects = await outside.effectsAfter(before);
  return { ...judged(ids, effects, dueAt.getTime()), unrecorded: await publishing.unrecorded(effects) };
}

function judged(ids: readonly string[], effects: readonly Effect[], due: number): Omit<Round, 'unrecorded'> {
  const sent = Map.groupBy(effects, ({ text }) => text);
  const times = effects.map(({ at }) => Date.parse(at) - due);
  return {
    posts: ids.length,
    firstSeconds: Math.min(...times) / 1000,
    lastSeconds: Math.max(...times) / 1000,
    early: times.filter((time) => time < 0).length,
    twice: [...sent.values()].filter(({ length }) => length > 1).length,
    lost: ids.filter((id) => !sent.has(`Post ${id}`)).length,
  };
}
