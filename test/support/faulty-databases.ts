import type { Statement } from '#libs/database';
import { Database, DatabaseIsUnavailable } from '#libs/database';

type Query = <Row extends object>(sql: string | Statement, values?: readonly unknown[]) => Promise<Row[]>;

const lost = () => new DatabaseIsUnavailable(new Error('Connection terminated unexpectedly'));
const isNamed = (sql: string | Statement, part: string) => typeof sql !== 'string' && sql.name.includes(part);

/** Executes statements whose name contains `part`, and then loses their answers. */
export class LosingDatabase extends Database {
  constructor(
    database: Database,
    private readonly part: string,
    private losses: number,
  ) {
    super(database.dataSource);
  }

  override within(milliseconds: number) {
    const executor = super.within(milliseconds);
    return {
      query: async <Row extends object>(sql: string | Statement, values: readonly unknown[] = []) => {
        const rows = await executor.query<Row>(sql, values);
        if (!isNamed(sql, this.part) || this.losses === 0) return rows;
        this.losses -= 1;
        throw lost();
      },
    };
  }
}

/** Does not reach the server for statements of the name after the first ones. */
export class FailingDatabase extends Database {
  constructor(
    database: Database,
    private readonly name: string,
    private successes: number,
  ) {
    super(database.dataSource);
  }

  override within(milliseconds: number) {
    const executor = super.within(milliseconds);
    return {
      query: async <Row extends object>(sql: string | Statement, values: readonly unknown[] = []) => {
        if (isNamed(sql, this.name) && (this.successes -= 1) < 0) throw lost();
        return executor.query<Row>(sql, values);
      },
    };
  }
}

/** Counts the answers of statements whose name is `name`. */
export class WatchedDatabase extends Database {
  asked = 0;

  constructor(
    database: Database,
    private readonly name: string,
  ) {
    super(database.dataSource);
  }

  override within(milliseconds: number) {
    const executor = super.within(milliseconds);
    return {
      query: async <Row extends object>(sql: string | Statement, values: readonly unknown[] = []) => {
        const rows = await executor.query<Row>(sql, values);
        if (isNamed(sql, this.name)) this.asked += 1;
        return rows;
      },
    };
  }
}

/** Loses the answer of the first statement of the name, and executes it only right before a later one. */
export class LateDatabase extends Database {
  private late: () => Promise<object[]> = () => Promise.resolve([]);
  private asked = 0;

  /** @param before which one, from 2 */
  constructor(
    database: Database,
    private readonly name: string,
    private readonly before = 2,
  ) {
    super(database.dataSource);
  }

  override within(milliseconds: number) {
    const executor = super.within(milliseconds);
    return {
      query: async <Row extends object>(sql: string | Statement, values: readonly unknown[] = []) => {
        if (!isNamed(sql, this.name)) return executor.query<Row>(sql, values);
        this.asked += 1;
        if (this.asked === 1) {
          this.late = () => executor.query(sql, values);
          throw lost();
        }
        if (this.asked === this.before) await this.late();
        return executor.query<Row>(sql, values);
      },
    };
  }
}

/** Its statements see another time. The defaults of columns do not. */
export class DatabaseAt extends Database {
  constructor(
    database: Database,
    public instant: string,
  ) {
    super(database.dataSource);
  }

  override query: Query = (sql, values) => super.query(this.moved(sql), values);

  override within(milliseconds: number) {
    const executor = super.within(milliseconds);
    const query: Query = (sql, values) => executor.query(this.moved(sql), values);
    return { query };
  }

  private moved(sql: string | Statement): string {
    const text = typeof sql === 'string' ? sql : sql.text;
    return text.replaceAll('now()', `'${this.instant}'::timestamptz`);
  }
}
