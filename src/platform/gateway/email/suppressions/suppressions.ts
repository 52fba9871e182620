import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { RequestIsNotValid } from '#libs/http';
import { type AuditActor, GatewayAudit } from '../../audit/gateway-audit.js';
import { SuppressionNotFound } from '../email.errors.js';
import { finding, mailAddress, mailboxOf, NOT_AN_ADDRESS } from '../shared/addresses.js';
import type { SuppressionDto } from './suppression.dto.js';

/** The message that showed that the address must not be written to. */
export interface SuppressingMessage {
  readonly id: string;
  readonly organizationId: string;
  readonly isPlatform: boolean;
}

const COLUMNS = 'id, address, reason, message_id AS "messageId", created_at AS "createdAt"';
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
 * they share its reputation. Changes by people and services are audited; the audit does not name the address.
 */
@Injectable()
export class Suppressions {
  constructor(
    private readonly database: Database,
    private readonly audit: GatewayAudit,
  ) {}

  async bounced(message: SuppressingMessage, address: string): Promise<void> {
    await this.insert(message.organizationId, address, 'bounce', message.id);
    if (message.isPlatform) await this.insert(null, address, 'bounce', message.id);
  }

  async complained(message: SuppressingMessage, address: string): Promise<void> {
    await this.insert(message.organizationId, address, 'complaint', message.id);
  }

  /** @returns the one that exists, new or not */
  add(organizationId: string | null, actor: AuditActor, text: string): Promise<SuppressionDto> {
    const address = mailAddress(text);
    if (address === null) throw new RequestIsNotValid([finding('address', ...NOT_AN_ADDRESS)]);
    return this.database.transaction(async () => {
      const added = await this.insert(organizationId, address, 'manual', null, actor.id);
      if (added) await this.record('email_suppression_added', organizationId, actor, added);
      const key = [organizationId, mailboxOf(address)];
      const row = added ?? (await this.database.query<SuppressionDto>(FIND, key))[0];
      if (!row) throw new SuppressionNotFound();
      return row;
    });
  }

  list(
    organizationId: string | null,
    after: string | null,
    count: number,
    address: string | null,
  ): Promise<SuppressionDto[]> {
    return this.database.query<SuppressionDto>(LIST, [organizationId, after, count, address]);
  }

  remove(organizationId: string | null, actor: AuditActor, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const [row] = await this.database.query<SuppressionDto>(REMOVE, [id, organizationId]);
      if (!row) throw new SuppressionNotFound();
      await this.record('email_suppression_removed', organizationId, actor, row);
    });
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

  /** @returns undefined when there is one already */
  private async insert(
    organizationId: string | null,
    address: string,
    reason: SuppressionDto['reason'],
    messageId: string | null,
    by: string | null = null,
  ): Promise<SuppressionDto | undefined> {
    const values = [randomUUIDv7(), organizationId, mailboxOf(address), reason, messageId, by];
    const [added] = await this.database.query<SuppressionDto>(ADD, values);
    return added;
  }

  private record(
    action: string,
    organizationId: string | null,
    actor: AuditActor,
    { id, reason }: SuppressionDto,
  ): Promise<void> {
    const target = { type: 'email_suppression', id };
    return this.audit.record(this.database, { action, actor, organizationId, target, details: { reason } });
  }
}
