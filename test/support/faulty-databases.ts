import { Database, DatabaseIsUnavailable, type Statement } from '#libs/database';

type Query = <Row extends object>(sql: string | Statement, values?: readonly unknown[]) => Promise<Row[]>;

const lost = () => new DatabaseIsUnavailable(new Error('Connection terminated unexpectedly'));
const isNamed = (sql: string | Statement, part: string) => typeof sql !== 'string' && sql.name.includes(part);

abstract class FaultyDatabase extends Database {
  constructor(
    database: Database,
    private readonly part: string,
  ) {
    super(database.dataSource);
  }

  /** What happens to statements whose name contains `part`. */
  protected abstract intercept<Row extends object>(execute: () => Promise<Row[]>): Promise<Row[]>;

  override within(milliseconds: number) {
    const executor = super.within(milliseconds);
    const query: Query = <Row extends object>(sql: string | Statement, values: readonly unknown[] = []) => {
      const execute = () => executor.query<Row>(sql, values);
      return isNamed(sql, this.part) ? this.intercept(execute) : execute();
    };
    return { query };
  }
}

/** Executes statements whose name contains `part`, and then loses their answers. */
export class LosingDatabase extends FaultyDatabase {
  constructor(
    database: Database,
    part: string,
    private losses: number,
  ) {
    super(database, part);
  }

  protected override async intercept<Row extends object>(execute: () => Promise<Row[]>): Promise<Row[]> {
    const rows = await execute();
    if (this.losses === 0) return rows;
    this.losses -= 1;
    throw lost();
  }
}

/** Does not reach the server for statements of the name after the first ones. */
export class FailingDatabase extends FaultyDatabase {
  constructor(
    database: Database,
    name: string,
    private successes: number,
  ) {
    super(database, name);
  }

  protected override async intercept<Row extends object>(execute: () => Promise<Row[]>): Promise<Row[]> {
    this.successes -= 1;
    if (this.successes < 0) throw lost();
    return execute();
  }
}

/** Loses the answer of the first statement of the name, and executes it only right before a later one. */
export class LateDatabase extends FaultyDatabase {
  private late: () => Promise<object[]> = () => Promise.resolve([]);
  private asked = 0;

  /** @param before which one, from 2 */
  constructor(
    database: Database,
    name: string,
    private readonly before = 2,
  ) {
    super(database, name);
  }

  protected override async intercept<Row extends object>(execute: () => Promise<Row[]>): Promise<Row[]> {
    this.asked += 1;
    if (this.asked === 1) {
      this.late = execute;
      throw lost();
    }
    if (this.asked === this.before) await this.late();
    return execute();
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
