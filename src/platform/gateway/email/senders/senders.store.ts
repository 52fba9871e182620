import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { SenderExists, SenderNotFound } from '../email.errors.js';
import type { EmailProvider } from '../email.types.js';

export interface SenderRow {
  readonly id: string;
  /** null: of the platform, usable by every organization. */
  readonly organization_id: string | null;
  readonly domain_id: string;
  readonly domain: string;
  readonly domain_status: 'pending' | 'verified' | 'failed';
  readonly provider: EmailProvider;
  readonly name: string;
  readonly address: string;
  readonly reply_to: string | null;
  readonly is_default: boolean;
  readonly created_at: Date;
}

export interface NewSender {
  readonly organizationId: string | null;
  readonly domainId: string;
  readonly name: string;
  readonly address: string;
  readonly replyTo: string | null;
  readonly isDefault: boolean;
  readonly by: string | null;
}

const SELECT = `SELECT s.id, s.organization_id, s.domain_id, d.name AS domain, d.status AS domain_status, d.provider, s.name,
  s.address, s.reply_to, s.is_default, s.created_at
  FROM gateway.email_sender s JOIN gateway.email_domain d ON d.id = s.domain_id`;
/** $1 organization, $2 id */
const FIND = statement(
  'gateway_find_email_sender',
  `${SELECT} WHERE s.id = $2 AND (s.organization_id = $1 OR s.organization_id IS NULL)`,
);
/** The organization's own before the platform's; only of verified domains. $1 organization */
const DEFAULT = statement(
  'gateway_default_email_sender',
  `${SELECT} WHERE (s.organization_id = $1 OR s.organization_id IS NULL) AND s.is_default AND d.status = 'verified'
    ORDER BY s.organization_id NULLS LAST LIMIT 1`,
);
/** $1 organization or null, $2 whether those of the platform are included, $3 after, $4 count */
const LIST = statement(
  'gateway_list_email_senders',
  `${SELECT} WHERE (s.organization_id IS NOT DISTINCT FROM $1 OR ($2::boolean AND s.organization_id IS NULL))
     AND ($3::uuid IS NULL OR s.id > $3) ORDER BY s.id LIMIT $4`,
);
/** $1 organization or null */
export const CLEAR_DEFAULT = statement(
  'gateway_clear_default_email_sender',
  `UPDATE gateway.email_sender SET is_default = false WHERE organization_id IS NOT DISTINCT FROM $1 AND is_default`,
);
const INSERT = statement(
  'gateway_insert_email_sender',
  `INSERT INTO gateway.email_sender (id, organization_id, domain_id, name, address, reply_to, is_default, created_by)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (organization_id, address) DO NOTHING RETURNING id`,
);
const REMOVE = statement(
  'gateway_remove_email_sender',
  `DELETE FROM gateway.email_sender WHERE id = $1 AND organization_id IS NOT DISTINCT FROM $2 RETURNING id`,
);

/** Sender identities: a name and an address of a domain, reusable by every service of the organization. */
@Injectable()
export class SendersStore {
  constructor(private readonly database: Database) {}

  /** Of the organization or of the platform. @throws SenderNotFound */
  async find(organizationId: string | null, id: string): Promise<SenderRow> {
    const [row] = await this.database.query<SenderRow>(FIND, [organizationId, id]);
    if (!row) throw new SenderNotFound();
    return row;
  }

  /** null without one. */
  async default(organizationId: string): Promise<SenderRow | null> {
    const [row] = await this.database.query<SenderRow>(DEFAULT, [organizationId]);
    return row ?? null;
  }

  list(organizationId: string | null, after: string | null, count: number): Promise<SenderRow[]> {
    return this.database.query<SenderRow>(LIST, [organizationId, organizationId !== null, after, count]);
  }

  /** Joins the caller's transaction. @throws SenderExists */
  async add(sender: NewSender): Promise<SenderRow> {
    const { organizationId, domainId, name, address, replyTo, isDefault, by } = sender;
    if (isDefault) await this.database.query(CLEAR_DEFAULT, [organizationId]);
    const id = randomUUIDv7();
    const values = [id, organizationId, domainId, name, address, replyTo, isDefault, by];
    if ((await this.database.query(INSERT, values)).length === 0) throw new SenderExists();
    return this.find(organizationId, id);
  }

  /** Messages that were sent from it stay. @throws SenderNotFound */
  async remove(organizationId: string | null, id: string): Promise<void> {
    if ((await this.database.query(REMOVE, [id, organizationId])).length === 0) throw new SenderNotFound();
  }
}
