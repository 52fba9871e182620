import { Injectable } from '@nestjs/common';
import type { Instant } from '#libs/content';
import { Database, type Executor, statement } from '#libs/database';
import type { ConnectionCandidate, ConnectionRequest } from '../domain/connection-choice.js';
import type { NetworkState } from '../domain/network-state.js';
import { accountKey, type Connection } from '../domain/connection.js';

type Row = Record<keyof Connection, unknown> & {
  heldUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
  readAt: Date;
  accessExpiresAt: Date | null;
  refreshExpiresAt: Date | null;
};

type CandidateRow = Pick<
  Connection,
  | 'id'
  | 'brandId'
  | 'userId'
  | 'platform'
  | 'accountId'
  | 'username'
  | 'facts'
  | 'pages'
  | 'groups'
  | 'state'
  | 'holdReason'
> &
  NetworkState & {
    heldUntil: Date | null;
  };

const HELD = `CASE WHEN greatest(c.held_until, h.until) > now() THEN greatest(c.held_until, h.until) END AS "heldUntil",
  CASE WHEN h.until > now() THEN h.reason ELSE c.hold_reason END AS "holdReason"`;
/** As shown: an outage too is a hold, until the next probe. */
const SHOWN_HELD = `CASE WHEN greatest(c.held_until, h.until, o.probe_at) > now() THEN greatest(c.held_until, h.until, o.probe_at) END AS "heldUntil",
  CASE WHEN h.until > now() THEN h.reason WHEN o.open_since IS NOT NULL THEN o.failure->>'code' ELSE c.hold_reason END AS "holdReason"`;
const NETWORK = `CASE WHEN o.open_since IS NOT NULL THEN o.failure END AS outage, coalesce(o.probe_at <= now(), false) AS "mayProbe",
  coalesce(o.open_since IS NOT NULL OR o.failed_accounts <> '{}', false) AS "isFailing",
  extract(epoch FROM now() - o.closed_at)::float8 * 1000 AS "recoveredMs"`;
const COLUMNS = `c.id, c.brand_id AS "brandId", c.user_id AS "userId", c.platform, c.account_id AS "accountId", c.username, c.facts,
  c.display_name AS "displayName", c.avatar_url AS "avatarUrl", c.scopes, c.pages, c.groups, c.state,
  ${SHOWN_HELD},
  c.access_expires_at AS "accessExpiresAt", c.refresh_token IS NOT NULL AS "hasRefreshToken",
  c.refresh_expires_at AS "refreshExpiresAt", now() AS "readAt", c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;
const TABLES = `integrations.connection c LEFT JOIN integrations.platform_hold h ON h.platform = c.platform
  LEFT JOIN integrations.network_outage o ON o.platform = c.platform`;

const FIND = statement('integrations_find_connection', `SELECT ${COLUMNS} FROM ${TABLES} WHERE c.id = $1`);
const LIST = statement(
  'integrations_list_connections',
  `SELECT ${COLUMNS} FROM ${TABLES} WHERE c.brand_id = ANY ($1::uuid[]) AND c.state <> 'disconnected'
     AND ($2::uuid IS NULL OR c.id > $2) AND ($4::text[] IS NULL OR c.platform = ANY ($4)) AND ($5::text[] IS NULL OR c.state = ANY ($5))
   ORDER BY c.id LIMIT $3`,
);
const CANDIDATES = statement(
  'integrations_publishing_candidates',
  `SELECT c.id, c.brand_id AS "brandId", c.user_id AS "userId", c.platform, c.account_id AS "accountId", c.username,
     c.facts, c.pages, c.groups, c.state, ${HELD}, ${NETWORK}
   FROM ${TABLES}
   WHERE (c.brand_id, c.platform) IN (SELECT * FROM unnest($1::uuid[], $2::text[])) AND c.state <> 'disconnected'
   ORDER BY c.created_at, c.id`,
);
const ACCOUNTS = statement(
  'integrations_accounts',
  `SELECT id, platform, account_id AS "accountId" FROM integrations.connection WHERE id = ANY ($1::uuid[])`,
);
const SAME_ACCOUNTS = statement(
  'integrations_brands_of_same_accounts',
  `SELECT DISTINCT other.brand_id AS "brandId"
   FROM integrations.connection own JOIN integrations.connection other USING (platform, account_id)
   WHERE own.brand_id = $1 AND platform = $2 AND own.state <> 'disconnected' AND other.state <> 'disconnected'`,
);
const OF_SAME_ACCOUNT = statement(
  'integrations_connections_of_same_account',
  `SELECT other.id AS "connectionId", other.brand_id AS "brandId"
   FROM integrations.connection own JOIN integrations.connection other USING (platform, account_id)
   WHERE own.id = $1`,
);
const HOLD = statement(
  'integrations_hold_account',
  `WITH hold AS (SELECT now() + $2 * interval '1 millisecond' AS until), account AS (
     UPDATE integrations.connection held SET held_until = hold.until, hold_reason = $3
     FROM hold, integrations.connection named
     WHERE named.id = $1 AND held.platform = named.platform AND held.account_id = named.account_id
   )
   SELECT until FROM hold`,
);

export interface ConnectionPage {
  readonly after: string | null;
  readonly limit: number;
  /** Absent: of all networks. */
  readonly platforms?: readonly string[];
  readonly states?: readonly string[];
}

@Injectable()
export class ConnectionsStore {
  constructor(private readonly database: Database) {}

  async find(id: string, executor: Executor = this.database): Promise<Connection | null> {
    const [row] = await executor.query<Row>(FIND, [id]);
    return row ? connectionOf(row) : null;
  }

  /** Connected accounts of brands by id, which is oldest first; those after one when it is given. */
  async listOf(
    brandIds: readonly string[],
    { after, limit, platforms, states }: ConnectionPage,
  ): Promise<Connection[]> {
    const values = [brandIds, after, limit, platforms ?? null, states ?? null];
    return (await this.database.query<Row>(LIST, values)).map(connectionOf);
  }

  /** Candidates for the requests, by `brandId:platform`, oldest first. */
  async candidates(requests: readonly ConnectionRequest[]): Promise<Map<string, ConnectionCandidate[]>> {
    const pairs = [...new Map(requests.map((request) => [keyOf(request), request])).values()];
    const values = [pairs.map(({ brandId }) => brandId), pairs.map(({ platform }) => platform)];
    const rows = await this.database.query<CandidateRow>(CANDIDATES, values);
    const candidates = rows.map(({ outage, mayProbe, isFailing, recoveredMs, ...row }) => ({
      ...row,
      network: { outage, mayProbe, isFailing, recoveredMs },
      accountKey: accountKey(row),
      targetIds: [...row.pages, ...row.groups].map(({ id }) => id),
      heldUntil: row.heldUntil?.toISOString() ?? null,
    }));
    return Map.groupBy(candidates, keyOf);
  }

  /** Includes the brand itself when it has an account of the network. */
  async brandsOfSameAccounts(brandId: string, platform: string): Promise<string[]> {
    const rows = await this.database.query<{ brandId: string }>(SAME_ACCOUNTS, [brandId, platform]);
    return rows.map((row) => row.brandId);
  }

  /** Disconnected ones and the connection itself included. */
  ofSameAccount(connectionId: string): Promise<{ connectionId: string; brandId: string }[]> {
    return this.database.query(OF_SAME_ACCOUNT, [connectionId]);
  }

  async accountKeys(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.query<{ id: string; platform: string; accountId: string }>(ACCOUNTS, [
      ids,
    ]);
    return new Map(rows.map((row) => [row.id, accountKey(row)]));
  }

  /** No post is sent to this account, in any brand. @returns the end of the hold, by the database's clock */
  async holdAccount(connectionId: string, milliseconds: number, reason: string): Promise<Instant> {
    const [held] = await this.database.query<{ until: Date }>(HOLD, [connectionId, milliseconds, reason]);
    return (held as { until: Date }).until.toISOString();
  }
}

function keyOf({ brandId, platform }: { brandId: string; platform: string }): string {
  return `${brandId}:${platform}`;
}

function connectionOf(row: Row): Connection {
  const { heldUntil, accessExpiresAt, refreshExpiresAt, createdAt, updatedAt, readAt } = row;
  return {
    ...(row as unknown as Connection),
    heldUntil: heldUntil?.toISOString() ?? null,
    holdReason: heldUntil ? (row.holdReason as string | null) : null,
    accessExpiresAt: accessExpiresAt?.toISOString() ?? null,
    refreshExpiresAt: refreshExpiresAt?.toISOString() ?? null,
    readAt: readAt.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
