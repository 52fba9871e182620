import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Instant } from '#libs/content';
import { Database, type Executor, statement } from '#libs/database';
import { ERASED_COLUMNS } from '../connections/connection-log.js';
import type { NetworkCallback } from './signed-requests.js';

export type CallbackKind = 'deauthorize' | 'data-deletion';

/** An accepted callback. Contains nothing about the person. */
export interface CallbackRecord {
  readonly platform: string;
  /** Names the status page of a data deletion; null: the request is none. */
  readonly code: string | null;
  readonly connections: number;
  readonly receivedAt: Instant;
}

export interface ConcernedConnection {
  readonly id: string;
  readonly brandId: string;
  readonly state: string;
  /** When its present sign-in began; null: not recorded. */
  readonly signedInAt: Date | null;
}

type Row = Omit<CallbackRecord, 'receivedAt'> & { receivedAt: Date };

const COLUMNS = 'platform, code, connections, received_at AS "receivedAt"';
const FIND = statement(
  'integrations_find_signed_callback',
  `SELECT ${COLUMNS} FROM integrations.signed_callback WHERE kind = $1 AND platform = $2 AND digest = $3`,
);
const FIND_CODE = statement(
  'integrations_find_data_deletion',
  `SELECT ${COLUMNS} FROM integrations.signed_callback WHERE code = $1`,
);
const SAVE = statement(
  'integrations_save_signed_callback',
  `INSERT INTO integrations.signed_callback (kind, platform, digest, code, connections) VALUES ($1, $2, $3, $4, $5)`,
);
/** In the order in which a sign-in locks its accounts. */
const OF_PERSON = `SELECT id, brand_id AS "brandId", state, signed_in_at AS "signedInAt"
  FROM integrations.connection
  WHERE platform = $1 AND (account_id = $2 OR consent_id = $2) ORDER BY account_id, id`;
const CONCERNED = statement('integrations_connections_of_person', OF_PERSON);
const HOLD = statement('integrations_hold_connections_of_person', `${OF_PERSON} FOR UPDATE`);
const END = statement(
  'integrations_end_connections_of_person',
  `UPDATE integrations.connection SET state = 'reconnect-needed', access_token = NULL, refresh_token = NULL,
     access_expires_at = NULL, refresh_expires_at = NULL, token_version = token_version + 1, updated_at = now()
   WHERE id = ANY ($1::uuid[])`,
);
const ERASE = statement(
  'integrations_erase_connections_of_person',
  `UPDATE integrations.connection SET ${ERASED_COLUMNS}, account_id = 'deleted:' || id WHERE id = ANY ($1::uuid[])`,
);
/** Counters of accounts that no other connection uses. */
const ERASE_USAGE = statement(
  'integrations_erase_usage_of_person',
  `DELETE FROM integrations.network_usage used USING integrations.connection erased
   WHERE erased.id = ANY ($1::uuid[]) AND used.platform = erased.platform AND used.account_id = erased.account_id
     AND NOT EXISTS (
       SELECT FROM integrations.connection other
       WHERE other.platform = erased.platform AND other.account_id = erased.account_id
         AND other.state <> 'disconnected' AND other.id <> ALL ($1::uuid[]))`,
);

/** Records of callbacks, and the rows that they concern, in all brands and organizations. */
@Injectable()
export class SignedCallbacksStore {
  constructor(private readonly database: Database) {}

  /** The record of this very request; null: it is new. */
  async find(kind: CallbackKind, { platform, signature }: NetworkCallback): Promise<CallbackRecord | null> {
    return this.one(await this.database.query<Row>(FIND, [kind, platform, digestOf(signature)]));
  }

  async ofCode(code: string): Promise<CallbackRecord | null> {
    return this.one(await this.database.query<Row>(FIND_CODE, [code]));
  }

  concerned({ platform, subject }: NetworkCallback): Promise<ConcernedConnection[]> {
    return this.database.query(CONCERNED, [platform, subject]);
  }

  hold(executor: Executor, { platform, subject }: NetworkCallback): Promise<ConcernedConnection[]> {
    return executor.query(HOLD, [platform, subject]);
  }

  async end(executor: Executor, ids: readonly string[]): Promise<void> {
    await executor.query(END, [ids]);
  }

  /** The rows stay: posts, attempts and the audit name their ids. */
  async erase(executor: Executor, ids: readonly string[]): Promise<void> {
    await executor.query(ERASE_USAGE, [ids]);
    await executor.query(ERASE, [ids]);
  }

  /** Fails with a unique violation when the request was recorded meanwhile. */
  async save(
    executor: Executor,
    kind: CallbackKind,
    { platform, signature }: NetworkCallback,
    { code, connections }: Pick<CallbackRecord, 'code' | 'connections'>,
  ): Promise<void> {
    await executor.query(SAVE, [kind, platform, digestOf(signature), code, connections]);
  }

  private one([row]: readonly Row[]): CallbackRecord | null {
    return row ? { ...row, receivedAt: row.receivedAt.toISOString() } : null;
  }
}

const digestOf = (signature: Buffer): Buffer => createHash('sha256').update(signature).digest();
