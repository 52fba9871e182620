import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, isUniqueViolation, statement } from '#libs/database';
import { RequestIsNotValid } from '#libs/http';
import { type AuditActor, GatewayAudit } from '../../audit/gateway-audit.js';
import { DomainBelongsToAnother, DomainExists, DomainNotFound } from '../email.errors.js';
import { EMAIL_PROVIDERS } from '../email.types.js';
import { finding, mailDomain } from '../shared/addresses.js';
import type { AddDomainDto, DomainRow, EmailConnectionDto } from './senders.dto.js';
import { VerifyDomain } from './verify-domain.js';

/** Who owns the domains and senders of a change; organization null: the platform. */
export interface SenderOwner {
  readonly organizationId: string | null;
  readonly actor: AuditActor;
}

const COLUMNS = `d.id, d.organization_id AS "organizationId", d.name, d.provider, d.status, d.challenge,
  d.check_result AS "checkResult", d.checked_at AS "checkedAt", d.verified_at AS "verifiedAt", d.created_at AS "createdAt",
  CASE WHEN EXISTS (SELECT 1 FROM gateway.credential c
    WHERE c.provider = d.provider AND c.organization_id = d.organization_id AND c.enabled AND c.deleted_at IS NULL)
    THEN 'own' ELSE 'platform' END AS connection`;
const FIND = statement(
  'gateway_find_email_domain',
  `SELECT ${COLUMNS} FROM gateway.email_domain d WHERE d.id = $2 AND d.organization_id IS NOT DISTINCT FROM $1`,
);
/** $1 organization, $2 after, $3 count */
const LIST = statement(
  'gateway_list_email_domains',
  `SELECT ${COLUMNS} FROM gateway.email_domain d
    WHERE (d.organization_id = $1 OR d.organization_id IS NULL) AND ($2::uuid IS NULL OR d.id > $2) ORDER BY d.id LIMIT $3`,
);
const INSERT = statement(
  'gateway_insert_email_domain',
  `INSERT INTO gateway.email_domain AS d (id, organization_id, name, provider, challenge, created_by)
   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (organization_id, name) DO NOTHING RETURNING ${COLUMNS}`,
);
/** A verified domain stays verified while a check gives no answer. $1 id, $2 status, $3 result */
const CHECKED = statement(
  'gateway_checked_email_domain',
  `UPDATE gateway.email_domain d SET status = $2, check_result = $3, checked_at = now(),
          verified_at = CASE WHEN $2 = 'verified' THEN coalesce(d.verified_at, now()) END
    WHERE d.id = $1 RETURNING ${COLUMNS}`,
);
const REMOVE = statement(
  'gateway_remove_email_domain',
  `DELETE FROM gateway.email_domain WHERE id = $1 AND organization_id IS NOT DISTINCT FROM $2 RETURNING name`,
);
/** Credentials of the organization at mail providers. $1 organization, $2 providers, $3 after, $4 count */
const CONNECTIONS = statement(
  'gateway_list_email_connections',
  `SELECT c.id, 'cloud_mail' AS kind, c.provider, c.label,
          CASE WHEN NOT c.enabled THEN 'disabled' WHEN c.failing_since IS NULL THEN 'usable' ELSE 'failing' END AS state,
          ARRAY(SELECT d.name FROM gateway.email_domain d
                 WHERE c.enabled AND d.organization_id = c.organization_id AND d.provider = c.provider
                   AND d.status = 'verified' ORDER BY d.name LIMIT 100) AS domains
     FROM gateway.credential c
    WHERE c.organization_id = $1 AND c.provider = ANY ($2::text[]) AND c.deleted_at IS NULL
      AND ($3::uuid IS NULL OR c.id > $3) ORDER BY c.id LIMIT $4`,
);

/**
 * Sender domains of organizations and of the platform, and the connections to providers that send for them. Changes are audited in
 * their transaction.
 */
@Injectable()
export class DomainsStore {
  constructor(
    private readonly database: Database,
    private readonly verification: VerifyDomain,
    private readonly audit: GatewayAudit,
  ) {}

  async find(organizationId: string | null, id: string): Promise<DomainRow> {
    const [row] = await this.database.query<DomainRow>(FIND, [organizationId, id]);
    if (!row) throw new DomainNotFound();
    return row;
  }

  /** Also those of the platform. */
  list(organizationId: string, after: string | null, count: number): Promise<DomainRow[]> {
    return this.database.query<DomainRow>(LIST, [organizationId, after, count]);
  }

  connections(organizationId: string, after: string | null, count: number): Promise<EmailConnectionDto[]> {
    const values = [organizationId, EMAIL_PROVIDERS, after, count];
    return this.database.query<EmailConnectionDto>(CONNECTIONS, values);
  }

  add(owner: SenderOwner, { name: text, provider = 'smtp' }: AddDomainDto): Promise<DomainRow> {
    const name = mailDomain(text);
    if (name === null)
      throw new RequestIsNotValid([finding('name', 'not_a_domain', 'must be the name of a domain')]);
    const challenge = `gateway-verification=${randomBytes(20).toString('hex')}`;
    const values = [randomUUIDv7(), owner.organizationId, name, provider, challenge, owner.actor.id];
    return this.database.transaction(async () => {
      const [row] = await this.database.query<DomainRow>(INSERT, values);
      if (!row) throw new DomainExists();
      await this.record(owner, 'added', row.id, { name, provider });
      return row;
    });
  }

  /** @throws DomainBelongsToAnother when it is verified for another owner */
  async verify(owner: SenderOwner, id: string): Promise<DomainRow> {
    const before = await this.find(owner.organizationId, id);
    const { status, result } = await this.verification.check(before);
    try {
      return await this.database.transaction(async () => {
        const [row] = await this.database.query<DomainRow>(CHECKED, [id, status, result]);
        if (!row) throw new DomainNotFound();
        if (status !== before.status) await this.record(owner, status, id, { name: row.name });
        return row;
      });
    } catch (error) {
      throw isUniqueViolation(error, 'email_domain_one_owner') ? new DomainBelongsToAnother() : error;
    }
  }

  /** With its sender identities. */
  remove(owner: SenderOwner, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const [row] = await this.database.query<{ name: string }>(REMOVE, [id, owner.organizationId]);
      if (!row) throw new DomainNotFound();
      await this.record(owner, 'removed', id, row);
    });
  }

  private record(
    { organizationId, actor }: SenderOwner,
    change: string,
    id: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const action = `email_domain_${change}`;
    const target = { type: 'email_domain', id };
    return this.audit.record(this.database, { action, actor, organizationId, target, details });
  }
}
