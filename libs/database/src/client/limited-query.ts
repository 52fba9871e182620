import type { QueryConfig, WireConnection } from 'pg';
import { Query } from 'pg';

type Callback = (error: Error | undefined, result: unknown) => void;

/**
 * A statement with a time limit of its own, in one round trip: `set_config` goes in front of it before the same Sync, so
 * that both are one implicit transaction, and the setting ends with it (PostgreSQL manual, section 55.2.4). No session
 * keeps anything, so this works behind a pooler in transaction mode.
 */
export class LimitedQuery extends Query {
  private isSet = false;
  private readonly statement: string | undefined;

  constructor(
    config: QueryConfig & { query_timeout?: number },
    values: unknown[] | undefined,
    private readonly milliseconds: number,
    callback: Callback,
  ) {
    super(config, values, callback as never);
    this.statement = this.name;
    // client.query reads it from what it is given.
    Object.assign(this, { query_timeout: config.query_timeout });
    this.queryMode = 'extended';
  }

  override prepare(connection: WireConnection): void {
    connection.parse({ text: `SELECT set_config('statement_timeout', '${this.milliseconds}', true)` });
    connection.bind({ portal: '', statement: '', values: [] });
    connection.execute({ portal: '' });
    super.prepare(connection);
    // The first ParseComplete is that of set_config: the client must not note it under this statement's name.
    this.name = undefined;
  }

  override handleDataRow(message: unknown): void {
    if (this.isSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (this.isSet) return super.handleCommandComplete(message, connection);
    this.isSet = true;
    this.name = this.statement;
  }

  override handleError(error: unknown, connection: WireConnection): void {
    if (this.statement && !this.isSet)
      Reflect.deleteProperty(connection.submittedNamedStatements, this.statement);
    super.handleError(error, connection);
  }
}
