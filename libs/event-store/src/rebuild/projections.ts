import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { EventStore } from '../event-store.js';
import { Reactions } from '../reactions/reactions.js';
import { rebuildInlineView } from './rebuild-inline-view.js';
import { rebuildReaction } from './rebuild-reaction.js';

export interface Rebuilt {
  readonly name: string;
  readonly kind: 'view' | 'reaction';
  /** Streams of a view, events of a reaction. */
  readonly count: number;
  /** Only for reactions that are compared instead of replaced: rows that differ. */
  readonly differences?: number;
}

/** Everything of this process that can be made again from the log: views of streams and tables of reactions. */
@Injectable()
export class Projections {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly reactions: Reactions,
  ) {}

  names(): string[] {
    const views = this.store.projected.map(({ view }) => view.name);
    return [...views, ...this.reactions.all().map((reaction) => reaction.name)];
  }

  /**
   * Rebuilds one by its name, or all, views first.
   * @throws Error for a name that is not known; lists those that are.
   */
  async rebuild(name?: string): Promise<Rebuilt[]> {
    if (name !== undefined && !this.names().includes(name)) {
      throw new Error(`There is no projection "${name}". There are: ${this.names().join(', ')}.`);
    }
    return this.alone(async () => [
      ...(await this.rebuildViews(name)),
      ...(await this.rebuildReactions(name)),
    ]);
  }

  /** By a lock of the database, so that two rebuilds never write to the same tables beside. */
  private async alone<T>(work: () => Promise<T>): Promise<T> {
    return this.database.separateTransaction(async (guard) => {
      await guard.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      const [row] = await guard.query<{ free: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('projections:rebuild', 0)) AS free`,
      );
      if (!row?.free) throw new Error('Another rebuild is running.');
      return work();
    });
  }

  private async rebuildViews(name?: string): Promise<Rebuilt[]> {
    const rebuilt: Rebuilt[] = [];
    for (const projected of this.store.projected) {
      if (name !== undefined && projected.view.name !== name) continue;
      const count = await rebuildInlineView(this.database, this.store.upcasters, projected);
      rebuilt.push({ name: projected.view.name, kind: 'view', count });
    }
    return rebuilt;
  }

  private async rebuildReactions(name?: string): Promise<Rebuilt[]> {
    const rebuilt: Rebuilt[] = [];
    for (const reaction of this.reactions.all()) {
      if (name !== undefined && reaction.name !== name) continue;
      const { events, differences } = await rebuildReaction(this.database, this.store, reaction);
      rebuilt.push({ name: reaction.name, kind: 'reaction', count: events, differences });
    }
    return rebuilt;
  }
}
