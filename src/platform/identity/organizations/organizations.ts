import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#libs/database';
import type { Actor } from '../access/actor.js';
import { AuditLog } from '../audit/audit-log.js';
import type { OrganizationDto } from './organization.dto.js';
import { addMembership } from '../access/memberships.js';

interface NewOrganization {
  readonly name: string;
  readonly developerWorkspace: boolean;
}

/** The rows of identity.organization, with the role of the caller. */
@Injectable()
export class Organizations {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  create(request: NewOrganization, actor: Actor & { id: string }): Promise<OrganizationDto> {
    return this.database.transaction((transaction) => this.add(transaction, request, actor));
  }

  /**
   * The actor becomes the owner. The organization gets access to every service that is granted to new organizations.
   */
  async add(
    transaction: Transaction,
    { name, developerWorkspace }: NewOrganization,
    actor: Actor & { id: string },
  ): Promise<OrganizationDto> {
    const [row] = await transaction.query<OrganizationDto>(
      `INSERT INTO identity.organization (id, name, developer_workspace, created_by) VALUES ($1, $2, $3, $4)
       RETURNING id, name, 'owner' AS role, developer_workspace AS "developerWorkspace", created_at AS "createdAt"`,
      [randomUUIDv7(), name, developerWorkspace, actor.id],
    );
    if (!row) throw new Error('The organization was not stored.');
    await addMembership(transaction, row.id, actor.id, 'owner');
    await transaction.query(
      `INSERT INTO identity.organization_service_access (organization_id, service_id)
       SELECT $1, id FROM identity.service WHERE granted_to_new_organizations`,
      [row.id],
    );
    const target = { type: 'organization', id: row.id };
    const details = { developerWorkspace };
    await this.audit.record(transaction, {
      action: 'organization_created',
      actor,
      organizationId: row.id,
      target,
      details,
    });
    return row;
  }

  /** @param own organizations of the caller, with the role in each. */
  list(
    own: readonly { id: string; role: string }[],
    after: string | null,
    count: number,
  ): Promise<OrganizationDto[]> {
    return this.database.query<OrganizationDto>(
      `SELECT o.id, o.name, v.role, o.developer_workspace AS "developerWorkspace", o.created_at AS "createdAt"
         FROM unnest($1::uuid[], $2::text[]) AS v (id, role) JOIN identity.organization o USING (id)
        WHERE $3::uuid IS NULL OR o.id > $3 ORDER BY o.id LIMIT $4`,
      [own.map(({ id }) => id), own.map(({ role }) => role), after, count],
    );
  }
}
