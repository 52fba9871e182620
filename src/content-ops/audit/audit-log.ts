import { createHash } from 'node:crypto';
import { arrayOfJson, type Executor, statement } from '#libs/database';
import { AUDIT_COLUMNS, type AuditEntry, canonicalJson, chainOf } from '../domain/audit-entry.js';

interface ChainHead {
  readonly entries: number;
  readonly hash: Buffer;
}

/** An entry with its hash, which covers the entry and the previous hash, so that missing and changed rows are detected. */
interface ChainedEntry {
  readonly chain: string;
  readonly entry: AuditEntry;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

/** The head of an empty chain. Contains the name, so that one chain cannot replace another. */
function emptyHeadOf(chain: string): ChainHead {
  return { entries: 0, hash: sha256(chain) };
}

/** Appends the entries in order to the chains in `heads` and updates `heads`. */
function chained(entries: readonly AuditEntry[], heads: Map<string, ChainHead>): ChainedEntry[] {
  return entries.map((entry) => {
    const chain = chainOf(entry);
    const head = heads.get(chain) ?? emptyHeadOf(chain);
    const hash = sha256(head.hash, canonicalJson(entry));
    heads.set(chain, { entries: head.entries + 1, hash });
    return { chain, entry, previousHash: head.hash, hash };
  });
}

function sha256(...parts: (Buffer | string)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/**
 * Appends entries to their chains, in order. Only one writer at a time: rows are numbered densely in the order of writing, so
 * that a reader's cursor never misses one.
 * @param executor its search_path selects the stored audit or the shadow tables of a rebuild
 */
export async function addToAudit(executor: Executor, entries: readonly AuditEntry[]): Promise<void> {
  const heads = await headsOf(executor, [...new Set(entries.map(chainOf))]);
  const rows = chained(entries, heads);
  await executor.query(INSERT_ROWS, columnsOf(rows));
  await executor.query(MOVE_HEADS, [
    [...heads.keys()],
    [...heads.values()].map((head) => head.entries),
    [...heads.values()].map((head) => head.hash),
  ]);
}

async function headsOf(executor: Executor, chains: readonly string[]): Promise<Map<string, ChainHead>> {
  const rows = await executor.query<{ chain: string; entries: string; hash: Buffer }>(READ_HEADS, [chains]);
  return new Map(rows.map((row) => [row.chain, { entries: Number(row.entries), hash: row.hash }]));
}

function columnsOf(rows: readonly ChainedEntry[]): unknown[] {
  const entries = AUDIT_COLUMNS.map(({ member, type }) =>
    type === 'jsonb'
      ? arrayOfJson(rows.map(({ entry }) => JSON.stringify(entry[member])))
      : rows.map(({ entry }) => entry[member]),
  );
  return [
    rows.map(({ chain }) => chain),
    ...entries,
    rows.map(({ previousHash }) => previousHash),
    rows.map(({ hash }) => hash),
  ];
}

const READ_HEADS = statement(
  'content_ops_audit_heads',
  'SELECT chain, entries, hash FROM audit_chain WHERE chain = ANY ($1::text[])',
);

const COLUMNS = [
  { column: 'chain', type: 'text' },
  ...AUDIT_COLUMNS,
  { column: 'previous_hash', type: 'bytea' },
  { column: 'hash', type: 'bytea' },
];
const NAMES = COLUMNS.map(({ column }) => column).join(', ');

const INSERT_ROWS = statement(
  'content_ops_audit_insert',
  `INSERT INTO audit_event (entry, ${NAMES})
   SELECT (SELECT coalesce(max(entry), 0) FROM audit_event) + place, ${NAMES}
   FROM unnest(${COLUMNS.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')}) WITH ORDINALITY AS rows (${NAMES}, place)
   ORDER BY place`,
);

const MOVE_HEADS = statement(
  'content_ops_audit_move_heads',
  `INSERT INTO audit_chain (chain, entries, hash)
   SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])
   ON CONFLICT (chain) DO UPDATE SET entries = excluded.entries, hash = excluded.hash`,
);
