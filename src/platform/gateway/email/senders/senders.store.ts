import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { SenderExists, SenderNotFound } from '../email.errors.js';
import type { EmailProvider } from '../email.types.js';
import type { AddSenderDto, EmailSenderDto } from './sender.dto.js';

/** What a message needs of its sender. */
export interface UsedSender extends EmailSenderDto {
  readonly domain: string;
  readonly provider: EmailProvider;
}

const COLUMNS = `s.id, CASE WHEN s.organization_id IS NULL THEN 'platform' ELSE 'organization' END AS owner, s.name, s.address,
  s.reply_to AS "replyTo", s.is_default AS "isDefault", s.domain_id AS "domainId", d.status = 'verified' AS usable,
  s.created_at AS "createdAt"`;
const FROM = 'FROM gateway.email_sender s JOIN gateway.email_domain d ON d.id = s.domain_id';
const USED = `SELECT ${COLUMNS}, d.name AS domain, d.provider ${FROM}`;
/** $1 organization, $2 id */
const FIND = statement(
  'gateway_find_email_sender',
  `${USED} WHERE s.id = $2 AND (s.organization_id = $1 OR s.organization_id IS NULL)`,
);
/** The organization's own before the platform's; only of verified domains. $1 organization */
const DEFAULT = statement(
  'gateway_default_email_sender',
  `${USED} WHERE (s.organization_id = $1 OR s.organization_id IS NULL) AND s.is_default AND d.status = 'verified'
    ORDER BY s.organization_id NULLS LAST LIMIT 1`,
);
/** $1 organization, $2 after, $3 count */
const LIST = statement(
  'gateway_list_email_senders',
  `SELECT ${COLUMNS} ${FROM} WHERE (s.organization_id = $1 OR s.organization_id IS NULL) AND ($2::uuid IS NULL OR s.id > $2)
    ORDER BY s.id LIMIT $3`,
);
/** $1 organization or null */
export const CLEAR_DEFAULT = statement(
  'gateway_clear_default_email_sender',
  `UPDATE gateway.email_sender SET is_default = false WHERE organization_id IS NOT DISTINCT FROM $1 AND is_default`,
);
const INSERT = statement(
  'gateway_insert_email_sender',
  `WITH s AS (
     INSERT INTO gateway.email_sender (id, organization_id, domain_id, name, address, reply_to, is_default, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (organization_id, address) DO NOTHING RETURNING *
   )
   SELECT ${COLUMNS} FROM s JOIN gateway.email_domain d ON d.id = s.domain_id`,
);
const REMOVE = statement(
  'gateway_remove_email_sender',
  `DELETE FROM gateway.email_sender WHERE id = $1 AND organization_id IS NOT DISTINCT FROM $2 RETURNING id`,
);

/** Sender identities: a name and an address of a domain, reusable by every service of the organization. */
@Injectable()
export class SendersStore {
  constructor(private readonly database: Database) {}

  /** Of the organization or of the platform. */
  async find(organizationId: string, id: string): Promise<UsedSender> {
    const [row] = await this.database.query<UsedSender>(FIND, [organizationId, id]);
    if (!row) throw new SenderNotFound();
    return row;
  }

  async default(organizationId: string): Promise<UsedSender | undefined> {
    return (await this.database.query<UsedSender>(DEFAULT, [organizationId]))[0];
  }

  list(organizationId: string, after: string | null, count: number): Promise<EmailSenderDto[]> {
    return this.database.query<EmailSenderDto>(LIST, [organizationId, after, count]);
  }

  /** Joins the caller's transaction. @param sender with normalized addresses */
  async add(
    organizationId: string | null,
    { domainId, name, address, replyTo = null, isDefault = false }: NewSender,
    by: string | null,
  ): Promise<EmailSenderDto> {
    if (isDefault) await this.database.query(CLEAR_DEFAULT, [organizationId]);
    const values = [randomUUIDv7(), organizationId, domainId, name, address, replyTo, isDefault, by];
    const [row] = await this.database.query<EmailSenderDto>(INSERT, values);
    if (!row) throw new SenderExists();
    return row;
  }

  /** Messages that were sent from it stay. */
  async remove(organizationId: string | null, id: string): Promise<void> {
    if ((await this.database.query(REMOVE, [id, organizationId])).length === 0) throw new SenderNotFound();
  }
}

type NewSender = Omit<AddSenderDto, 'replyTo'> & { readonly replyTo: string | null };
