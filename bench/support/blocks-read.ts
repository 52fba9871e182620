import type { Pool, PoolClient } from 'pg';
import type { Database } from '#libs/database';

interface PlanNode {
  readonly 'Node Type'?: string;
  readonly 'Subplan Name'?: string;
  readonly 'CTE Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly 'Temp Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly 'Query Text': string;
  readonly Plan: PlanNode;
}

/** A statement as a service sent it, with the plan that PostgreSQL really used: that of a named statement can be a generic one. */
export interface ExplainedStatement {
  readonly text: string;
  /** Shared and temporary blocks, found in memory or not. */
  readonly blocks: number;
  /** Rows that all nodes of the plan looked at, those that they threw away included: the work in memory. */
  readonly rows: number;
  readonly plan: PlanNode;
}

/**
 * Lets PostgreSQL explain every statement of the connections that open from now on, to its client. Call it before the service
 * starts. auto_explain is in PostgreSQL's contrib; only a superuser can load it, as the role of tests and bench is.
 */
export async function explainStatements({ database }: { readonly database: Database }): Promise<void> {
  const settings = [
    `session_preload_libraries = 'auto_explain'`,
    'auto_explain.log_min_duration = 0',
    'auto_explain.log_analyze = on',
    'auto_explain.log_buffers = on',
    'auto_explain.log_timing = off',
    'auto_explain.log_format = json',
    'auto_explain.log_level = notice',
    // Blocks of statements that run concurrently in other workers are counted, but not when a worker is not available.
    'max_parallel_workers_per_gather = 0',
    'jit = off',
  ];
  await database.query(`LOAD 'auto_explain'`);
  for (const setting of settings)
    await database.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting.replaceAll("'", "''")}', current_database()); END $$`,
    );
}

/** The statements of one service on a database with `explainStatements`. */
export class BlocksRead {
  private statements: ExplainedStatement[] = [];

  constructor({ pool }: Pick<Database, 'pool'>) {
    // Connections that the service opened at its start are in no event any more.
    const { _clients: open } = pool as Pool & { readonly _clients: readonly PoolClient[] };
    for (const client of open) this.listen(client);
    pool.on('connect', (client) => this.listen(client));
  }

  /** The statements that end while `work` runs, which gets those so far. */
  async during(
    work: (soFar: readonly ExplainedStatement[]) => Promise<unknown>,
  ): Promise<readonly ExplainedStatement[]> {
    this.statements = [];
    await work(this.statements);
    return this.statements;
  }

  /** The blocks of all statements of `work`, after enough runs for PostgreSQL to decide on a generic plan. */
  async of(work: () => Promise<unknown>): Promise<number> {
    for (let run = 0; run < RUNS_BEFORE_GENERIC_PLAN; run += 1) await work();
    return this.ofLaterRuns(work);
  }

  /** The same for statements that ran often. The lowest of several runs, because statements of other work can only add blocks. */
  async ofLaterRuns(work: () => Promise<unknown>): Promise<number> {
    const counted: number[] = [];
    for (let run = 0; run < MEASURED_RUNS; run += 1) counted.push(blocksOf(await this.during(work)));
    return Math.min(...counted);
  }

  private listen(client: PoolClient): void {
    client.on('notice', ({ message = '' }) => {
      const json = message.indexOf('{');
      if (!message.startsWith('duration:') || json < 0) return;
      const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(json)) as Explained;
      this.statements.push({ text, plan, blocks: blocksOfPlan(plan), rows: rowsOfPlan(plan) });
    });
  }
}

/** PostgreSQL compares the cost of a generic plan with that of the first five custom ones (plancache.c). */
export const RUNS_BEFORE_GENERIC_PLAN = 6;
const MEASURED_RUNS = 3;

export const blocksOf = (statements: readonly ExplainedStatement[]): number =>
  statements.reduce((sum, { blocks }) => sum + blocks, 0);

/** A node includes the blocks of the nodes below it, except those of a WITH that changes rows and that no part reads. */
function blocksOfPlan(plan: PlanNode): number {
  const unread = (plan.Plans ?? []).filter(
    ({ 'Node Type': type, 'Subplan Name': name }) =>
      type === 'ModifyTable' && name !== undefined && !reads(plan, name.replace(/^CTE /, '')),
  );
  const own =
    (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0) + (plan['Temp Read Blocks'] ?? 0);
  return unread.reduce((sum, node) => sum + blocksOfPlan(node), own);
}

const reads = ({ 'CTE Name': name, Plans: below = [] }: PlanNode, cte: string): boolean =>
  name === cte || below.some((plan) => reads(plan, cte));

/** Rows are those of one loop. */
function rowsOfPlan({ Plans: below = [], ...node }: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const own = ((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 1);
  return below.reduce((sum, plan) => sum + rowsOfPlan(plan), own);
}
