import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database, type Executor, statement } from '#libs/database';
import { EventStore } from '../event-store.js';
import { ReactionRunner } from './reaction-runner.js';
import { DEFAULT_OPTIONS, type Reaction, type ReactionOptions } from './reaction.js';

interface ReactionStatus {
  readonly name: string;
  /** `stopped`: it cannot handle an event, or no replica could read one for five minutes. */
  readonly state: 'running' | 'stopped';
  /** Unhandled events; counted up to 10 000. */
  readonly lagEvents: number;
  /** Age of the first unhandled event; 0 if there is none. */
  readonly lagSeconds: number;
  /** The event and the error that stopped it. */
  readonly error?: string;
  /** The next event, if it is of a newer release and no replica could read it yet. */
  readonly unreadable?: string;
  /** Duration of that state. */
  readonly unreadableSeconds?: number;
}

/** In a rolling release, a replica that can read the event starts well within this time. */
const UNREADABLE_LIMIT_SECONDS = 300;

const STATUS = statement(
  'events_reaction_status',
  `SELECT reaction.name, reaction.state, reaction.error, ahead.unreadable, ahead.seconds AS "unreadableSeconds", behind.events AS "lagEvents",
     coalesce(greatest(0, extract(epoch FROM clock_timestamp() - behind.since)), 0)::float8 AS "lagSeconds"
   FROM events.reaction LEFT JOIN LATERAL (
     SELECT reaction.unreadable, extract(epoch FROM clock_timestamp() - reaction.unreadable_since)::float8 AS seconds
     WHERE (reaction.cursor_transaction_id, reaction.cursor_position)
       < (reaction.unreadable_transaction_id, reaction.unreadable_position)
   ) AS ahead ON true, LATERAL (
     SELECT count(*)::int AS events, (array_agg(at))[1] AS since FROM (
       SELECT at FROM events.event
       WHERE (transaction_id, position) > (reaction.cursor_transaction_id, reaction.cursor_position)
       ORDER BY transaction_id, position LIMIT 10000
     ) AS following
   ) AS behind
   ORDER BY reaction.name`,
);

type StatusRow = Pick<ReactionStatus, 'name' | 'state' | 'lagEvents' | 'lagSeconds'> & {
  readonly error: string | null;
  readonly unreadable: string | null;
  readonly unreadableSeconds: number | null;
};

/** The lag of each reaction. Includes committed events that an older running transaction holds back. */
async function reactionStatus(executor: Executor): Promise<ReactionStatus[]> {
  const rows = await executor.query<StatusRow>(STATUS);
  return rows.map(({ error, unreadable, unreadableSeconds, ...row }) => {
    if (error !== null) return { ...row, error };
    if (unreadable === null || unreadableSeconds === null) return row;
    const waiting = { ...row, unreadable, unreadableSeconds };
    if (unreadableSeconds < UNREADABLE_LIMIT_SECONDS) return waiting;
    return { ...waiting, state: 'stopped' as const, error: unreadable };
  });
}

/**
 * The reactions of this process: the providers declared with `ReactsToEvents`. They start with the application and stop
 * before it shuts down. Any number of replicas may run the same ones.
 */
@Injectable()
export class Reactions implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly owner = randomUUID();
  private readonly runners = new Map<string, ReactionRunner>();
  private readonly registered = new Map<string, Reaction>();

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
  ) {
    store.onAppended(() => this.wake());
  }

  /** @throws Error when the name is taken. */
  register(reaction: Reaction, options: Partial<ReactionOptions> = {}): void {
    if (this.registered.has(reaction.name)) throw new Error(`Two reactions are named ${reaction.name}.`);
    const all = { ...DEFAULT_OPTIONS, ...options };
    this.registered.set(reaction.name, reaction);
    this.runners.set(reaction.name, new ReactionRunner(this.database, this.store, reaction, this.owner, all));
  }

  all(): readonly Reaction[] {
    return [...this.registered.values()];
  }

  /** Also resumes stopped reactions. */
  start(): void {
    for (const runner of this.runners.values()) runner.start();
  }

  /** Resolves when the running batches have ended. */
  async stop(): Promise<void> {
    await Promise.all([...this.runners.values()].map((runner) => runner.stop()));
  }

  /** Hint that there may be new events. */
  wake(): void {
    for (const runner of this.runners.values()) runner.wake();
  }

  /** All reactions in the database, those of other processes included. */
  status(executor: Executor = this.database): Promise<ReactionStatus[]> {
    return reactionStatus(executor);
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
