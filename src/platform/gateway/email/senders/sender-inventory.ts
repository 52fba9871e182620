import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { FieldError } from '#libs/errors';
import { RequestIsNotValid } from '#libs/http';
import { type AuditActor, GatewayAudit } from '../../audit/gateway-audit.js';
import {
  domainOf,
  finding,
  isHeaderText,
  mailAddress,
  mailDomain,
  NOT_AN_ADDRESS,
} from '../shared/addresses.js';
import { DomainsStore } from './domains.store.js';
import type { AddDomainDto, DomainRow } from './domain.dto.js';
import type { AddSenderDto, EmailSenderDto } from './sender.dto.js';
import { SendersStore } from './senders.store.js';
import { VerifyDomain } from './verify-domain.js';

/** Who owns the domains and senders of a change; organization null: the platform. */
export interface InventoryOwner {
  readonly organizationId: string | null;
  readonly actor: AuditActor;
}

/** Changes of sender domains and identities. Each is audited in its transaction. */
@Injectable()
export class SenderInventory {
  constructor(
    private readonly database: Database,
    private readonly domains: DomainsStore,
    private readonly senders: SendersStore,
    private readonly verification: VerifyDomain,
    private readonly audit: GatewayAudit,
  ) {}

  addDomain(owner: InventoryOwner, { name: text, provider = 'smtp' }: AddDomainDto): Promise<DomainRow> {
    const name = mailDomain(text);
    if (name === null)
      throw new RequestIsNotValid([finding('name', 'not_a_domain', 'must be the name of a domain')]);
    return this.changing(owner, 'email_domain_added', 'email_domain', { name, provider }, () =>
      this.domains.add(owner.organizationId, name, provider, owner.actor.id),
    );
  }

  async verifyDomain(owner: InventoryOwner, id: string): Promise<DomainRow> {
    const before = await this.domains.find(owner.organizationId, id);
    const { status, result } = await this.verification.check(before);
    const store = () => this.domains.checked(before, status, result);
    if (status === before.status) return store();
    return this.changing(owner, `email_domain_${status}`, 'email_domain', { name: before.name }, store);
  }

  async removeDomain(owner: InventoryOwner, id: string): Promise<void> {
    const { name } = await this.domains.find(owner.organizationId, id);
    await this.changing(owner, 'email_domain_removed', 'email_domain', { name }, async () => {
      await this.domains.remove(owner.organizationId, id);
      return { id };
    });
  }

  async addSender(owner: InventoryOwner, body: AddSenderDto): Promise<EmailSenderDto> {
    const { domainId, name, isDefault = false } = body;
    const domain = await this.domains.find(owner.organizationId, domainId);
    const address = mailAddress(body.address);
    const replyTo = body.replyTo === undefined ? null : mailAddress(body.replyTo);
    const findings: FieldError[] = [];
    if (!isHeaderText(name))
      findings.push(finding('name', 'not_a_name', 'must not change the direction of text'));
    if (address === null || domainOf(address) !== domain.name)
      findings.push(finding('address', 'not_of_domain', `must be an address of ${domain.name}`));
    if (body.replyTo !== undefined && replyTo === null) findings.push(finding('replyTo', ...NOT_AN_ADDRESS));
    if (address === null || findings.length > 0) throw new RequestIsNotValid(findings);
    const { organizationId, actor } = owner;
    return this.changing(owner, 'email_sender_added', 'email_sender', { isDefault }, () =>
      this.senders.add(organizationId, { ...body, address, replyTo }, actor.id),
    );
  }

  async removeSender(owner: InventoryOwner, id: string): Promise<void> {
    await this.changing(owner, 'email_sender_removed', 'email_sender', {}, async () => {
      await this.senders.remove(owner.organizationId, id);
      return { id };
    });
  }

  private changing<Row extends { readonly id: string }>(
    { organizationId, actor }: InventoryOwner,
    action: string,
    type: string,
    details: Readonly<Record<string, unknown>>,
    change: () => Promise<Row>,
  ): Promise<Row> {
    return this.database.transaction(async (transaction) => {
      const row = await change();
      const target = { type, id: row.id };
      await this.audit.record(transaction, { action, actor, organizationId, target, details });
      return row;
    });
  }
}
