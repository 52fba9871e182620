import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, isUniqueViolation, statement } from '#libs/database';
import { DomainBelongsToAnother, DomainExists, DomainNotFound } from '../email.errors.js';
import type { EmailProvider } from '../email.types.js';

export interface DomainRow {
  readonly id: string;
  /** null: owned by the platform. */
  readonly organization_id: string | null;
  readonly name: string;
  readonly provider: EmailProvider;
  readonly status: 'pending' | 'verified' | 'failed';
  /** Value of the TXT record that proves control of the domain. Empty: an operator configured it, which needs no proof. */
  readonly challenge: string;
  readonly check_result: string | null;
  readonly checked_at: Date | null;
  readonly verified_at: Date | null;
  readonly created_at: Date;
  /** The organization has a credential of its own for the provider. */
  readonly has_connection: boolean;
}

const COLUMNS = `d.id, d.organization_id, d.name, d.provider, d.status, d.challenge, d.check_result, d.checked_at, d.verified_at,
  d.created_at, EXISTS (SELECT 1 FROM gateway.credential c
    WHERE c.provider = d.provider AND c.organization_id = d.organization_id AND c.enabled AND c.deleted_at IS NULL)
    AS has_connection`;
const FIND = statement(
  'gateway_find_email_domain',
  `SELECT ${COLUMNS} FROM gateway.email_domain d WHERE d.id = $2 AND d.organization_id IS NOT DISTINCT FROM $1`,
);
/** $1 organization or null, $2 whether those of the platform are included, $3 after, $4 count */
const LIST = statement(
  'gateway_list_email_domains',
  `SELECT ${COLUMNS} FROM gateway.email_domain d
    WHERE (d.organization_id IS NOT DISTINCT FROM $1 OR ($2::boolean AND d.organization_id IS NULL))
      AND ($3::uuid IS NULL OR d.id > $3) ORDER BY d.id LIMIT $4`,
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
  `DELETE FROM gateway.email_domain WHERE id = $1 AND organization_id IS NOT DISTINCT FROM $2 RETURNING id`,
);

/** Sender domains of organizations and of the platform. */
@Injectable()
export class DomainsStore {
  constructor(private readonly database: Database) {}

  /** @throws DomainNotFound */
  async find(organizationId: string | null, id: string): Promise<DomainRow> {
    const [row] = await this.database.query<DomainRow>(FIND, [organizationId, id]);
    if (!row) throw new DomainNotFound();
    return row;
  }

  /** Of an organization also those of the platform. */
  list(organizationId: string | null, after: string | null, count: number): Promise<DomainRow[]> {
    return this.database.query<DomainRow>(LIST, [organizationId, organizationId !== null, after, count]);
  }

  /** @throws DomainExists */
  async add(
    organizationId: string | null,
    name: string,
    provider: EmailProvider,
    by: string | null,
  ): Promise<DomainRow> {
    const challenge = `gateway-verification=${randomBytes(20).toString('hex')}`;
    const values = [randomUUIDv7(), organizationId, name, provider, challenge, by];
    const [row] = await this.database.query<DomainRow>(INSERT, values);
    if (!row) throw new DomainExists();
    return row;
  }

  /** @throws DomainBelongsToAnother when it is verified for another owner; DomainNotFound */
  async checked({ id }: DomainRow, status: DomainRow['status'], result: string): Promise<DomainRow> {
    try {
      const [row] = await this.database.query<DomainRow>(CHECKED, [id, status, result]);
      if (!row) throw new DomainNotFound();
      return row;
    } catch (error) {
      throw isUniqueViolation(error, 'email_domain_one_owner') ? new DomainBelongsToAnother() : error;
    }
  }

  /** With its sender identities. @throws DomainNotFound */
  async remove(organizationId: string | null, id: string): Promise<void> {
    if ((await this.database.query(REMOVE, [id, organizationId])).length === 0) throw new DomainNotFound();
  }
}
