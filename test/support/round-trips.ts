import type { EventEmitter } from 'node:events';
import type { Pool, PoolClient } from 'pg';
import type { Database } from '#libs/database';

/** What pg's types leave out. */
interface InspectedClient {
  readonly connection: Pick<EventEmitter, 'prependListener'>;
  readonly _activeQuery: { readonly text?: string } | null;
}

/** The round trips of one service to PostgreSQL: the server ends each with ReadyForQuery, however many statements it has. */
export class RoundTrips {
  private texts: string[] = [];

  constructor({ pool }: Pick<Database, 'pool'>) {
    const { _clients: open } = pool as Pool & { readonly _clients: readonly PoolClient[] };
    for (const client of open) this.listen(client);
    pool.on('connect', (client) => this.listen(client));
  }

  /** The statement of each round trip that ends while `work` runs. */
  async during(work: () => Promise<unknown>): Promise<string[]> {
    this.texts = [];
    await work();
    return this.texts;
  }

  private listen(pooled: PoolClient): void {
    const client = pooled as unknown as InspectedClient;
    client.connection.prependListener('readyForQuery', () => {
      this.texts.push(client._activeQuery?.text?.trim() ?? '');
    });
  }
}
