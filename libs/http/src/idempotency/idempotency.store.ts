import { type Database, type Executor, statement, type Transaction } from '#libs/database';

/** A response for repetitions: its body as text, byte for byte, and its headers. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The organizations whose data it contains; none for refusals. */
  readonly organizationIds?: readonly string[];
}

/** The key of a running request and its owner. */
export interface ClaimedKey {
  readonly key: Buffer;
  readonly owner: string;
  /** What the route says its responses are about; '' when the ids in the body are enough to find them. */
  readonly subject: string;
}

export type KeyClaim =
  | { readonly outcome: 'mine' }
  | { readonly outcome: 'running' }
  | { readonly outcome: 'another-request' }
  | { readonly outcome: 'done'; readonly response: StoredResponse };

/** Lease of a running request. After its expiry another request may claim the key. */
export const LEASE_SECONDS = 15;
const KEPT_HOURS = 24;

const CLAIM = statement(
  'http_claim_idempotency_key',
  `INSERT INTO http.idempotent_request AS known (key, fingerprint, owner, lease_until, expires_at)
   VALUES ($1, $2, $3, now() + interval '${LEASE_SECONDS} s', now() + interval '${KEPT_HOURS} h')
   ON CONFLICT (key) DO UPDATE
     SET fingerprint = excluded.fingerprint, owner = excluded.owner, response = NULL, ids = NULL,
         subject = NULL, lease_until = excluded.lease_until, expires_at = excluded.expires_at
     WHERE known.expires_at < now()
        OR (known.response IS NULL AND known.lease_until < now() AND known.fingerprint = excluded.fingerprint)
   RETURNING key`,
);

const FIND = statement(
  'http_look_at_idempotency_key',
  `SELECT fingerprint = $2 AS same, response FROM http.idempotent_request WHERE key = $1`,
);

const COMPLETE = statement(
  'http_complete_idempotent_request',
  `UPDATE http.idempotent_request SET response = $3, ids = $4, subject = $5
   WHERE key = $1 AND owner = $2 AND (response IS NULL OR response = $3) RETURNING key`,
);

/** Without a result to look at: fails when the lease was lost. */
const COMPLETE_OR_FAIL = statement(
  'http_complete_idempotent_request_or_fail',
  `WITH kept AS (${COMPLETE.text}) SELECT 1 / count(*)::int FROM kept`,
);
const DIVISION_BY_ZERO = '22012';

/** Of a commit with `completeLast`. */
export const isLeaseLost = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === DIVISION_BY_ZERO;

const RENEW = statement(
  'http_renew_idempotency_key',
  `UPDATE http.idempotent_request SET lease_until = now() + interval '${LEASE_SECONDS} s'
   WHERE key = $1 AND owner = $2 AND response IS NULL RETURNING true AS renewed`,
);

const RELEASE = statement(
  'http_release_idempotency_key',
  `DELETE FROM http.idempotent_request WHERE key = $1 AND owner = $2 AND response IS NULL`,
);

const PURGE = statement(
  'http_purge_idempotent_requests',
  `DELETE FROM http.idempotent_request WHERE key IN (
     SELECT key FROM http.idempotent_request WHERE expires_at < now()
     ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING key`,
);

/** Running requests with a key, and the responses of finished ones. */
export class IdempotencyStore {
  constructor(private readonly database: Database) {}

  /** Claims the key for `owner` in a separate transaction, visible to other processes while the request runs. */
  async claim(key: Buffer, fingerprint: Buffer, owner: string): Promise<KeyClaim> {
    const taken = await this.database.query(CLAIM, [key, fingerprint, owner]);
    if (taken.length > 0) return { outcome: 'mine' };
    const [row] = await this.database.query<{ same: boolean; response: StoredResponse | null }>(FIND, [
      key,
      fingerprint,
    ]);
    // Released in between: the next attempt can claim it.
    if (!row) return { outcome: 'running' };
    if (!row.same) return { outcome: 'another-request' };
    return row.response ? { outcome: 'done', response: row.response } : { outcome: 'running' };
  }

  /**
   * Stores the response through `executor`, so that it commits with the effect. Can be repeated when its answer is lost.
   * @returns false when the lease was lost
   */
  async complete(executor: Executor, held: ClaimedKey, response: StoredResponse): Promise<boolean> {
    const rows = await executor.query(COMPLETE, valuesOf(held, response));
    return rows.length > 0;
  }

  /** The same in the round trip of the commit, which fails when the lease was lost: see `isLeaseLost`. */
  completeLast(transaction: Transaction, held: ClaimedKey, response: StoredResponse): void {
    transaction.beforeCommit(COMPLETE_OR_FAIL, valuesOf(held, response));
  }

  /**
   * Extends the lease of a running request outside of its transaction.
   * @param withinMs maximum wait for the database. @returns whether it has one
   */
  async renew(key: Buffer, owner: string, withinMs: number): Promise<boolean> {
    return (await this.database.within(withinMs).query(RENEW, [key, owner])).length > 0;
  }

  /** Frees the key after a failure that may not repeat. */
  async release(key: Buffer, owner: string): Promise<void> {
    await this.database.query(RELEASE, [key, owner]);
  }

  /** Deletes up to `limit` expired keys. @returns how many */
  async purgeExpired(limit: number): Promise<number> {
    return (await this.database.query(PURGE, [limit])).length;
  }
}

const valuesOf = ({ key, owner, subject }: ClaimedKey, response: StoredResponse): (string | Buffer)[] => [
  key,
  owner,
  JSON.stringify(response),
  `{${idsIn(response).join()}}`,
  subject,
];

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** All UUIDs in the body; erasure finds the response by them. */
function idsIn({ body }: StoredResponse): string[] {
  return [...new Set(body?.toLowerCase().match(UUID))];
}
