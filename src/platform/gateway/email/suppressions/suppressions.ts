import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { mailboxOf } from '../shared/addresses.js';

export interface SuppressionRow {
  readonly id: string;
  readonly organization_id: string | null;
  readonly address: string;
  readonly reason: 'bounce' | 'complaint' | 'manual';
  readonly message_id: string | null;
  readonly created_at: Date;
}

/** The message that showed that the address must not be written to. */
export interface SuppressingMessage {
  readonly id: string;
  readonly organizationId: string;
  readonly isPlatform: boolean;
}

const COLUMNS = 'id, organization_id, address, reason, message_id, created_at';
const ADD = statement(
  'gateway_add_email_suppression',
  `INSERT INTO gateway.email_suppression (id, organization_id, address, reason, message_id, created_by)
   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (organization_id, address) DO NOTHING RETURNING ${COLUMNS}`,
);
/** Does not wait for another transaction that adds the same one. */
const FIND = statement(
  'gateway_find_email_suppression',
  `SELECT ${COLUMNS} FROM gateway.email_suppression WHERE organization_id IS NOT DISTINCT FROM $1 AND address = $2`,
);
const LIST = statement(
  'gateway_list_email_suppressions',
  `SELECT ${COLUMNS} FROM gateway.email_suppression
    WHERE organization_id IS NOT DISTINCT FROM $1 AND ($2::uuid IS NULL OR id < $2) AND ($4::text IS NULL OR address = $4)
    ORDER BY id DESC LIMIT $3`,
);
const REMOVE = statement(
  'gateway_remove_email_suppression',
  `DELETE FROM gateway.email_suppression WHERE id = $1 AND organization_id IS NOT DISTINCT FROM $2 RETURNING ${COLUMNS}`,
);
const AMONG = statement(
  'gateway_email_suppressed',
  `SELECT DISTINCT address FROM gateway.email_suppression
    WHERE address = ANY ($1::text[]) AND (organization_id = $2 OR (organization_id IS NULL AND $3::boolean))`,
);

/**
 * Addresses that get no further messages. A complaint concerns the organization that sent the message. A mailbox that does not exist is
 * suppressed for the organization and, after a message with the platform's credentials, for all organizations that use them, because
 * they share its reputation.
 */
@Injectable()
export class Suppressions {
  constructor(private readonly database: Database) {}

  async bounced(message: SuppressingMessage, address: string): Promise<void> {
    await this.add(message.organizationId, address, 'bounce', message.id);
    if (message.isPlatform) await this.add(null, address, 'bounce', message.id);
  }

  async complained(message: SuppressingMessage, address: string): Promise<void> {
    await this.add(message.organizationId, address, 'complaint', message.id);
  }

  /** @returns the one that exists, with whether it is new */
  async add(
    organizationId: string | null,
    address: string,
    reason: SuppressionRow['reason'],
    messageId: string | null = null,
    by: string | null = null,
  ): Promise<{ row: SuppressionRow | undefined; isNew: boolean }> {
    const key = mailboxOf(address);
    const values = [randomUUIDv7(), organizationId, key, reason, messageId, by];
    const [added] = await this.database.query<SuppressionRow>(ADD, values);
    if (added) return { row: added, isNew: true };
    const [row] = await this.database.query<SuppressionRow>(FIND, [organizationId, key]);
    return { row, isNew: false };
  }

  list(
    organizationId: string | null,
    after: string | null,
    count: number,
    address: string | null,
  ): Promise<SuppressionRow[]> {
    return this.database.query<SuppressionRow>(LIST, [organizationId, after, count, address]);
  }

  /** @returns null when there is none */
  async remove(organizationId: string | null, id: string): Promise<SuppressionRow | null> {
    const [removed] = await this.database.query<SuppressionRow>(REMOVE, [id, organizationId]);
    return removed ?? null;
  }

  /** Those of the addresses that are suppressed. @param isPlatform whether the platform's credentials send */
  async among(
    addresses: readonly string[],
    organizationId: string,
    isPlatform: boolean,
  ): Promise<Set<string>> {
    const keys = addresses.map(mailboxOf);
    const rows = await this.database.query<{ address: string }>(AMONG, [keys, organizationId, isPlatform]);
    return new Set(rows.map(({ address }) => address));
  }
}
