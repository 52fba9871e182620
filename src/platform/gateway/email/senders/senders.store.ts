import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import type { FieldError } from '#libs/errors';
import { RequestIsNotValid } from '#libs/http';
import { GatewayAudit } from '../../audit/gateway-audit.js';
import { SenderExists, SenderNotFound } from '../email.errors.js';
import type { EmailProvider } from '../email.types.js';
import { domainOf, finding, isHeaderText, mailAddress, NOT_AN_ADDRESS } from '../shared/addresses.js';
import { DomainsStore, type SenderOwner } from './domains.store.js';
import type { AddSenderDto, EmailSenderDto } from './senders.dto.js';

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

/** Sender identities: a name and an address of a domain, reusable by every service of the organization. Changes are audited. */
@Injectable()
export class SendersStore {
  constructor(
    private readonly database: Database,
    private readonly domains: DomainsStore,
    private readonly audit: GatewayAudit,
  ) {}

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

  async add(owner: SenderOwner, body: AddSenderDto): Promise<EmailSenderDto> {
    const { organizationId, actor } = owner;
    const { domainId, name, isDefault = false } = body;
    const domain = await this.domains.find(organizationId, domainId);
    const address = mailAddress(body.address);
    const replyTo = body.replyTo === undefined ? null : mailAddress(body.replyTo);
    const findings: FieldError[] = [];
    if (!isHeaderText(name))
      findings.push(finding('name', 'not_a_name', 'must not change the direction of text'));
    if (address === null || domainOf(address) !== domain.name)
      findings.push(finding('address', 'not_of_domain', `must be an address of ${domain.name}`));
    if (body.replyTo !== undefined && replyTo === null) findings.push(finding('replyTo', ...NOT_AN_ADDRESS));
    if (findings.length > 0) throw new RequestIsNotValid(findings);
    const values = [randomUUIDv7(), organizationId, domainId, name, address, replyTo, isDefault, actor.id];
    return this.database.transaction(async () => {
      if (isDefault) await this.database.query(CLEAR_DEFAULT, [organizationId]);
      const [row] = await this.database.query<EmailSenderDto>(INSERT, values);
      if (!row) throw new SenderExists();
      await this.record(owner, 'added', row.id, { isDefault });
      return row;
    });
  }

  /** Messages that were sent from it stay. */
  remove(owner: SenderOwner, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const removed = await this.database.query(REMOVE, [id, owner.organizationId]);
      if (removed.length === 0) throw new SenderNotFound();
      await this.record(owner, 'removed', id);
    });
  }

  private record(
    { organizationId, actor }: SenderOwner,
    change: string,
    id: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const action = `email_sender_${change}`;
    const target = { type: 'email_sender', id };
    return this.audit.record(this.database, { action, actor, organizationId, target, details });
  }
}
