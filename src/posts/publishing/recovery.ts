import { Injectable, Logger } from '@nestjs/common';
import type { Instant } from '#libs/content';
import type { Executor } from '#libs/database';
import { Database, statement } from '#libs/database';
import { FIRST, LATER } from './candidates.store.js';
import { RecoveryHasChanged } from './errors.js';
import { PublishConfig } from './publish.config.js';

/** In which the database, in a history that was lost, may have sent posts: whatever was due by its end and waits now. */
export interface LostTime {
  readonly from: Instant;
  readonly until: Instant;
}

/** What a claim is decided on. */
export interface Recovery {
  /** Of the cluster; null: this role may not read it. */
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
 * $1 the history, $2 the window in milliseconds, 0: no post is taken for sent. Waiting posts of a former change stay among
 * those that may have been sent, since the time of that change. Of two workers that notice a change at once the second finds it done.
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

/**
 * Notices that the database was promoted or restored. With asynchronous replication the last seconds before that are
 * lost, and with them perhaps the attempts of posts that are live: those are looked for on the network, never sent. The
 * row also tells how long a worker saw the former history, which bounds what can have been sent in it.
 */
@Injectable()
export class PublishRecovery {
  private readonly logger = new Logger(PublishRecovery.name);
  private isTold = false;

  constructor(
    private readonly database: Database,
    private readonly config: PublishConfig,
  ) {}

  /** By what the database is now; the first worker that meets another history stores it. */
  async current(): Promise<Recovery> {
    const row = await this.read(this.database);
    if (row.history === null) this.tellOnce();
    else if (row.known !== row.history || row.isStale) return this.see(row.history, row.known);
    return recoveryOf(row);
  }

  /**
   * In the transaction of a claim: a promotion may lie between the decision and this.
   * @throws RecoveryHasChanged
   */
  async mustStillBe(recovery: Recovery, transaction: Executor): Promise<void> {
    const now = await this.read(transaction);
    const isSame = now.history === recovery.history && (now.history === null || now.known === now.history);
    if (!isSame || JSON.stringify(recoveryOf(now)) !== JSON.stringify(recovery))
      throw new RecoveryHasChanged();
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

  private tellOnce(): void {
    if (this.isTold) return;
    this.isTold = true;
    this.logger.warn(
      'The role may not read the timeline of the database: after a failover that lost commits, posts are sent again. Grant EXECUTE on pg_control_system() and pg_current_wal_lsn(), or replicate synchronously.',
    );
  }
}

function recoveryOf({ history, from, until }: Row): Recovery {
  const lost = from && until ? { from: from.toISOString(), until: until.toISOString() } : null;
  return { history, lost };
}
