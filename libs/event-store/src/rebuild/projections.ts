import type { Database } from '#libs/database';
import { BEGINNING, type DomainEvent } from '../domain-event.js';
import type { EventStore } from '../event-store.js';
import type { ProjectedStream } from '../inline-view.js';
import type { Reactions } from '../reactions/reactions.js';
import { feedLog } from './log-pass.js';
import { ReactionRebuild } from './reaction-rebuild.js';
import { ViewRebuild } from './view-rebuild.js';

export interface Rebuilt {
  readonly name: string;
  readonly kind: 'view' | 'reaction';
  /** Streams of a view, events of a reaction. */
  readonly count: number;
  /** Differing rows; only for reactions that are compared instead of replaced. */
  readonly differences?: number;
}

export interface RebuildOptions {
  readonly maxFoldedStreams?: number;
}

/** The projections of this process, which can be rebuilt from the log: views of streams and tables of reactions. */
export class Projections {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly reactions: Reactions,
    /** Called when the names or a rebuild are asked for, because not all providers exist before. */
    private readonly streams: () => readonly ProjectedStream<unknown, DomainEvent>[],
  ) {}

  names(): string[] {
    const views = this.streams().map(({ view }) => view.name);
    return [...views, ...this.reactions.all().map((reaction) => reaction.name)];
  }

  /**
   * Rebuilds one by its name, or all, with one read of the log.
   * @param options.maxFoldedStreams limits memory: a folded stream takes a few kilobytes; streams beyond the limit are read
   * again when their rows are saved. Default: 150 000 per view.
   * @throws Error for an unknown name; lists the known ones
   */
  async rebuild(name?: string, options: RebuildOptions = {}): Promise<Rebuilt[]> {
    if (name !== undefined && !this.names().includes(name)) {
      throw new Error(`There is no projection "${name}". Use one of: ${this.names().join(', ')}.`);
    }
    return this.exclusively(() => this.rebuildAll(name, options));
  }

  /** Holds a lock in the database, so that two rebuilds never write to the same shadow tables. */
  private async exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.database.separateTransaction(async (guard) => {
      await guard.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      const [row] = await guard.query<{ free: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('projections:rebuild', 0)) AS free`,
      );
      if (!row?.free) throw new Error('Another rebuild is running.');
      return work();
    });
  }

  private async rebuildAll(name: string | undefined, options: RebuildOptions): Promise<Rebuilt[]> {
    const { database, store } = this;
    const isWanted = (named: { readonly name: string }) => name === undefined || named.name === name;
    const views = this.streams()
      .filter(({ view }) => isWanted(view))
      .map((projected) => new ViewRebuild(database, store, projected, options.maxFoldedStreams));
    const reactions: ReactionRebuild[] = [];
    try {
      for (const reaction of this.reactions.all().filter(isWanted)) {
        reactions.push(await ReactionRebuild.begin(database, store, reaction));
      }
      const whole = { after: BEGINNING, upTo: await store.settledEnd() };
      await feedLog(store, whole, [...views, ...reactions]);
      return [...(await finishViews(views)), ...(await finishReactions(reactions))];
    } finally {
      for (const reaction of reactions) await reaction.drop();
    }
  }
}

async function finishViews(views: readonly ViewRebuild<unknown, DomainEvent>[]): Promise<Rebuilt[]> {
  const rebuilt: Rebuilt[] = [];
  for (const view of views) rebuilt.push({ name: view.name, kind: 'view', count: await view.finish() });
  return rebuilt;
}

async function finishReactions(reactions: readonly ReactionRebuild[]): Promise<Rebuilt[]> {
  const rebuilt: Rebuilt[] = [];
  for (const reaction of reactions) {
    const differences = await reaction.finish();
    rebuilt.push({ name: reaction.name, kind: 'reaction', count: reaction.handled, differences });
  }
  return rebuilt;
}
