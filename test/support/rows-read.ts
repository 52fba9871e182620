import type { Database, Statement } from '#libs/database';

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How PostgreSQL answered: rows of `table` that it looked at, those it threw away included, and by which indexes. */
export async function rowsRead(
  database: Database,
  { text }: Pick<Statement, 'text'>,
  values: readonly unknown[],
  table: string,
): Promise<{ rows: number; indexes: string[] }> {
  const [explained] = await database.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  const nodes = nodesOf(explained?.['QUERY PLAN'][0]?.Plan);
  const scans = nodes.filter((node) => node['Relation Name'] === table);
  const read = ({ 'Actual Rows': rows = 0, 'Rows Removed by Filter': removed = 0, ...node }: PlanNode) =>
    (rows + removed) * (node['Actual Loops'] ?? 1);
  const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
  return { rows: scans.reduce((sum, node) => sum + read(node), 0), indexes: [...new Set(indexes)] };
}

const nodesOf = (node?: PlanNode): PlanNode[] =>
  node === undefined ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)];
