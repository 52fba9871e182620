import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { EMAIL_PROVIDERS, type EmailProvider } from '../email.types.js';

/** A credential of a mail provider that belongs to an organization, without its secret. */
export interface ConnectionRow {
  readonly id: string;
  readonly provider: EmailProvider;
  readonly label: string;
  readonly enabled: boolean;
  readonly is_failing: boolean;
  /** Names of the verified domains that it sends for, at most 100. */
  readonly domains: readonly string[];
}

/** $1 organization, $2 providers, $3 after, $4 count */
const LIST = statement(
  'gateway_list_email_connections',
  `SELECT c.id, c.provider, c.label, c.enabled, c.failing_since IS NOT NULL AS is_failing,
          ARRAY(SELECT d.name FROM gateway.email_domain d
                 WHERE c.enabled AND d.organization_id = c.organization_id AND d.provider = c.provider
                   AND d.status = 'verified' ORDER BY d.name LIMIT 100) AS domains
     FROM gateway.credential c
    WHERE c.organization_id = $1 AND c.provider = ANY ($2::text[]) AND c.deleted_at IS NULL
      AND ($3::uuid IS NULL OR c.id > $3) ORDER BY c.id LIMIT $4`,
);

/** Connections of organizations to their own accounts at mail providers. */
@Injectable()
export class ConnectionsStore {
  constructor(private readonly database: Database) {}

  list(organizationId: string, after: string | null, count: number): Promise<ConnectionRow[]> {
    return this.database.query<ConnectionRow>(LIST, [organizationId, EMAIL_PROVIDERS, after, count]);
  }
}
