import { Query, type QueryConfig, type WireConnection } from 'pg';

/** Its rows are thrown away. */
export interface Prefix {
  readonly text: string;
  readonly values?: readonly (string | Buffer)[];
}

type Callback = (error: Error | undefined, result: unknown) => void;

/**
 * A statement with others in front of it, in one round trip: they are sent before the same Sync (PostgreSQL manual, section
 * 55.2.4). `set_config` and the statement are one implicit transaction, and the setting ends with it; `BEGIN` makes the statement
 * the first one of a transaction, and `COMMIT` can have its last one in front. No session keeps anything, so this works behind a pooler in transaction mode. An error of one
 * statement skips those behind it.
 */
export class PrefixedQuery extends Query {
  /** Statements in front whose results are still to come. */
  private awaited: number;
  private readonly statement: string | undefined;

  constructor(
    config: QueryConfig & { query_timeout?: number },
    values: unknown[] | undefined,
    private readonly prefixes: readonly Prefix[],
    callback: Callback,
  ) {
    super(config, values, callback as never);
    this.awaited = prefixes.length;
    this.statement = this.name;
    // client.query reads it from what it is given.
    Object.assign(this, { query_timeout: config.query_timeout });
    this.queryMode = 'extended';
  }

  override prepare(connection: WireConnection): void {
    for (const { text, values = [] } of this.prefixes) {
      connection.parse({ text });
      connection.bind({ portal: '', statement: '', values: [...values] });
      connection.execute({ portal: '' });
    }
    super.prepare(connection);
    // The first ParseCompletes are those of the prefixes: the client must not note them under this statement's name.
    this.name = undefined;
  }

  override handleDataRow(message: unknown): void {
    if (this.awaited === 0) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (this.awaited === 0) return super.handleCommandComplete(message, connection);
    this.awaited -= 1;
    if (this.awaited === 0) this.name = this.statement;
  }

  override handleError(error: unknown, connection: WireConnection): void {
    if (this.statement && this.awaited > 0)
      Reflect.deleteProperty(connection.submittedNamedStatements, this.statement);
    super.handleError(error, connection);
  }
}
