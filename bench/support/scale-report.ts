import type { Database } from '#libs/database';
import type { Effect } from './outside-world.js';

/** What became of posts, according to the product and to the networks. */
export interface ScaleReport {
  readonly posts: number;
  readonly published: number;
  /** Kept back with a reason, and sent later. */
  readonly held: number;
  /** Known not to be on the network. */
  readonly failed: number;
  /** The product does not know whether the network has them. */
  readonly unconfirmed: number;
  /** More than once on a network. */
  readonly twice: number;
  /** Neither on the network nor held nor failed. */
  readonly lost: number;
  /** On the network, and recorded as something else than published or unconfirmed. */
  readonly contradicted: number;
  /** Seconds from the due time to the network, of everything that was published, sorted. */
  readonly late: readonly number[];
  /** The same of posts that one attempt published, without a hold. */
  readonly lateUndisturbed: readonly number[];
  readonly failures: Readonly<Record<string, number>>;
  /** Reasons of the holds that last, with their networks. */
  readonly holds: Readonly<Record<string, number>>;
  /** Seconds, the 99th percentile of undisturbed posts. */
  readonly latePerNetwork: Readonly<Record<string, string>>;
}

interface Stored {
  readonly id: string;
  readonly platform: string;
  readonly status: string;
  readonly due: Date;
  readonly is_held: boolean;
  readonly failure_class: string | null;
  readonly failure_code: string | null;
  readonly attempts: number;
  readonly holds: number;
  readonly hold_reason: string | null;
}

const POSTS = `
  SELECT v.id, v.platform, v.status, (v.details->>'scheduledAt')::timestamptz AS due, v.details->>'heldUntil' IS NOT NULL AS is_held,
    v.details->'failure'->>'class' AS failure_class, v.details->'failure'->>'code' AS failure_code,
    (v.details->>'attempts')::int AS attempts,
    (SELECT count(*)::int FROM events.event e WHERE e.stream = v.id AND e.type = 'PostHeld') AS holds,
    (SELECT e.data->>'reason' FROM events.event e WHERE e.stream = v.id AND e.type = 'PostHeld'
     ORDER BY e.version DESC LIMIT 1) AS hold_reason
  FROM posts.post_view v WHERE v.id = ANY ($1::uuid[])`;

export async function reportOf(
  database: Database,
  ids: readonly string[],
  effects: readonly Effect[],
): Promise<ScaleReport> {
  const posts = await database.query<Stored>(POSTS, [ids]);
  const sent = Map.groupBy(effects, ({ text }) => text);
  const effectsOf = ({ id }: Stored) => sent.get(`Post ${id}`) ?? [];
  const count = (is: (post: Stored) => boolean) => posts.filter(is).length;
  const isUnconfirmed = (post: Stored) => post.failure_class === 'unconfirmed';
  const isFailed = (post: Stored) => post.status === 'failed' && !isUnconfirmed(post);
  const isHeld = (post: Stored) => post.status === 'scheduled' && post.is_held;
  const late = (of: (post: Stored) => boolean) =>
    posts
      .filter((post) => post.status === 'published' && of(post))
      .flatMap((post) => effectsOf(post).map(({ at }) => (Date.parse(at) - post.due.getTime()) / 1_000))
      .sort((a, b) => a - b);
  return {
    posts: ids.length,
    published: count(({ status }) => status === 'published'),
    held: count(isHeld),
    failed: count(isFailed),
    unconfirmed: count(isUnconfirmed),
    twice: [...sent.values()].filter(({ length }) => length > 1).length,
    lost: count(
      (post) => effectsOf(post).length === 0 && !isHeld(post) && !isFailed(post) && !isUnconfirmed(post),
    ),
    contradicted: count(
      (post) => effectsOf(post).length > 0 && post.status !== 'published' && !isUnconfirmed(post),
    ),
    late: late(() => true),
    lateUndisturbed: late(isUndisturbed),
    failures: countBy(
      posts.flatMap(({ platform, failure_code: code }) => (code ? `${platform} ${code}` : [])),
    ),
    holds: countBy(posts.filter(isHeld).map(({ platform, hold_reason: reason }) => `${platform} ${reason}`)),
    latePerNetwork: Object.fromEntries(
      [...new Set(posts.map(({ platform }) => platform))].map((platform) => [
        platform,
        quantile(
          late((post) => post.platform === platform && isUndisturbed(post)),
          0.99,
        ).toFixed(1),
      ]),
    ),
  };
}

const isUndisturbed = ({ attempts, holds }: Stored): boolean => attempts === 1 && holds === 0;

const countBy = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));

/** @param sorted ascending @param share from 0 to 1 */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
