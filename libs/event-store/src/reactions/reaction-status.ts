import type { Executor } from '#libs/database';
import { statement } from '#libs/database';

export interface ReactionStatus {
  readonly name: string;
  readonly state: 'running' | 'stopped';
  /** Events it has not handled yet; counted up to 10 000. */
  readonly lagEvents: number;
  /** Age of the first of them, 0 when there is none. */
  readonly lagSeconds: number;
  /** Why it stopped: the event and the error. */
  readonly error?: string;
}

const STATUS = statement(
  'events_reaction_status',
  `SELECT reaction.name, reaction.state, reaction.error, behind.events AS "lagEvents",
     coalesce(greatest(0, extract(epoch FROM clock_timestamp() - behind.since)), 0)::float8 AS "lagSeconds"
   FROM events.reaction, LATERAL (
     SELECT count(*)::int AS events, (array_agg(at))[1] AS since FROM (
       SELECT at FROM events.event
       WHERE (transaction_id, position) > (reaction.cursor_transaction_id, reaction.cursor_position)
       ORDER BY transaction_id, position LIMIT 10000
     ) AS following
   ) AS behind
   ORDER BY reaction.name`,
);

/** How far behind each reaction is. Counts also what is committed but held back by an older running transaction. */
export async function reactionStatus(executor: Executor): Promise<ReactionStatus[]> {
  const rows = await executor.query<ReactionStatus & { error: string | null }>(STATUS);
  return rows.map(({ error, ...row }) => (error === null ? row : { ...row, error }));
}
