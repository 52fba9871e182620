import { Injectable, Logger } from '@nestjs/common';
import type { Instant } from '#libs/content';
import { Database, type Executor, statement } from '#libs/database';
import { dueAtOf } from '../domain/delivery.js';
import type { ExistingPost, Scheduled } from '../domain/post.js';
import { predecessorPosition } from '../domain/thread.js';
import { FIRST, LATER } from './candidate.statements.js';
import { PublishConfig } from './publish.config.js';

/** The time in which commits may be lost. Posts that were due by its end and wait now may have been sent in it. */
export interface LostTime {
  readonly from: Instant;
  readonly until: Instant;
}

/** A claim is decided on it, and stored only while it is the same. */
export interface Recovery {
  /** Of the cluster; null: the role may not read it. */
  readonly history: string | null;
  readonly lost: LostTime | null;
}

interface Row {
  readonly history: string | null;
  readonly known: string | null;
  readonly isStale: boolean | null;
  readonly from: Date | null;
  readonly until: Date | null;
}

const oldestOf = (which: string) => `(SELECT min(p.due_at) FROM posts.publication p WHERE ${which})`;

const READ = statement(
  'posts_recovery',
  `SELECT now.history, known.history AS known, known.seen_at < clock_timestamp() - interval '5 seconds' AS "isStale",
     known.lost_from AS "from", known.lost_until AS until
   FROM (SELECT posts.database_history() AS history) now LEFT JOIN posts.recovery known ON true`,
);
/**
 * $1 history, $2 window in milliseconds; 0: no post counts as sent. Posts that wait since a former change still count as maybe
 * sent, since the time of that change. Of two workers that notice a change at once, the second changes nothing.
 */
export const SEE = statement(
  'posts_see_history',
  `INSERT INTO posts.recovery AS known (only_row, history, seen_at) VALUES (true, $1, clock_timestamp())
   ON CONFLICT (only_row) DO UPDATE SET history = excluded.history, seen_at = excluded.seen_at,
     lost_from = CASE WHEN known.history = excluded.history THEN known.lost_from WHEN $2 > 0 THEN least(
         known.seen_at - make_interval(secs => $2::float8 / 1000),
         CASE WHEN least(${oldestOf(FIRST)}, ${oldestOf(LATER)}) <= known.lost_until THEN known.lost_from END) END,
     lost_until = CASE WHEN known.history = excluded.history THEN known.lost_until
       WHEN $2 > 0 THEN excluded.seen_at END
   WHERE known.history <> excluded.history OR known.seen_at < excluded.seen_at - interval '1 second'`,
);

/** Of the parts of threads in $1: those that wait for a part, or for one that waits for a part, that was due after $2. */
const WAITED_LONGER = statement(
  'posts_parts_that_waited_longer',
  `SELECT part.id FROM posts.post_view part
   WHERE part.id = ANY ($1::uuid[]) AND EXISTS (
     SELECT FROM posts.post_view before
     WHERE before.brand_id = part.brand_id AND before.thread_id = part.thread_id
       AND before.thread_position < part.thread_position AND before.scheduled_at > $2::timestamptz)`,
);

/** The database was promoted or restored after the claim was decided. */
export class RecoveryHasChanged extends Error {
  constructor() {
    super('The database was promoted or restored after this claim was decided. Decide again.');
    this.name = 'RecoveryHasChanged';
  }
}

/**
 * Detects that the database was promoted or restored. With asynchronous replication its last commits may be lost, among them
 * attempts of posts that are live: those are looked for on the network, never sent. docs/design/publishing.md
 */
@Injectable()
export class PublishRecovery {
  private readonly logger = new Logger(PublishRecovery.name);
  private hasWarned = false;

  constructor(
    private readonly database: Database,
    private readonly config: PublishConfig,
  ) {}

  /** As the database is now. The first worker that meets another history stores it. */
  async current(): Promise<Recovery> {
    const row = await this.read(this.database);
    if (row.history === null) this.warnOnce();
    else if (row.known !== row.history || row.isStale) return this.see(row.history, row.known);
    return recoveryOf(row);
  }

  /**
   * For the transaction of a claim: the database may have been promoted after the decision.
   * @throws RecoveryHasChanged
   */
  async mustStillBe(recovery: Recovery, transaction: Executor): Promise<void> {
    const now = await this.read(transaction);
    const isSame = now.history === recovery.history && (now.history === null || now.known === now.history);
    if (!isSame || JSON.stringify(recoveryOf(now)) !== JSON.stringify(recovery))
      throw new RecoveryHasChanged();
  }

  /**
   * A post that was due long before may have been sent late: after an outage, behind other posts of its account, or after the
   * part of a thread before it. A post that was held or waited for such a part longer than the lost time was not sent.
   * @returns by post id: since when the post may be on the network. The others were not sent.
   */
  async maybeLive(
    posts: readonly ExistingPost[],
    lost: LostTime | null,
  ): Promise<ReadonlyMap<string, Instant>> {
    if (lost === null) return new Map();
    const due = posts.filter(isScheduled).filter((post) => dueAtOf(post) <= lost.until);
    const waited = await this.waitedLonger(due, lost.until);
    return new Map(
      due.filter(({ id }) => !waited.has(id)).map((post) => [post.id, later(lost.from, dueAtOf(post))]),
    );
  }

  private async waitedLonger(posts: readonly Scheduled[], until: Instant): Promise<ReadonlySet<string>> {
    const parts = posts.filter(({ thread }) => predecessorPosition(thread) !== null).map(({ id }) => id);
    if (parts.length === 0) return new Set();
    const rows = await this.database.query<{ id: string }>(WAITED_LONGER, [parts, until]);
    return new Set(rows.map(({ id }) => id));
  }

  private async read(executor: Executor): Promise<Row> {
    const [row] = await executor.query<Row>(READ);
    return row as Row;
  }

  private async see(history: string, known: string | null): Promise<Recovery> {
    await this.database.query(SEE, [history, this.config.recoveryWindowMs]);
    const recovery = recoveryOf(await this.read(this.database));
    if (known !== null && known !== history)
      this.logger.warn(
        { from: known, to: history, lost: recovery.lost },
        'The database was promoted or restored. Posts that were due by now are looked for on the network.',
      );
    return recovery;
  }

  private warnOnce(): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn(
      'The role may not read the timeline of the database: after a failover that lost commits, posts are sent again. Grant EXECUTE on pg_control_system() and pg_current_wal_lsn(), or replicate synchronously.',
    );
  }
}

function recoveryOf({ history, from, until }: Row): Recovery {
  const lost = from && until ? { from: from.toISOString(), until: until.toISOString() } : null;
  return { history, lost };
}

const isScheduled = (post: ExistingPost): post is Scheduled => post.status === 'scheduled';

const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
