import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { isUuid } from '#libs/http';
import type { ClaimedAttribution, Registration, VerifiedAttribution } from '#libs/platform-client';

interface Row {
  readonly application: Registration | null;
  readonly organization_exists: boolean;
  readonly is_member: boolean;
}

/** $1 application, $2 organization, $3 user; null matches nothing. */
const VERIFY = statement(
  'identity_verify_attribution',
  `SELECT (SELECT json_build_object('id', s.id, 'slug', s.slug) FROM identity.service s WHERE s.id = $1) AS application,
          EXISTS (SELECT FROM identity.organization o WHERE o.id = $2) AS organization_exists,
          EXISTS (SELECT FROM identity.membership m
                    JOIN identity.user_account u ON u.id = m.user_id AND u.disabled_at IS NULL
                   WHERE m.organization_id = $2 AND m.user_id = $3) AS is_member`,
);

/** Tells services whether an application, an organization and a member exist. Reads the rows each time. */
@Injectable()
export class AttributionCheck {
  constructor(private readonly database: Database) {}

  async verify({ applicationId, organizationId, userId }: ClaimedAttribution): Promise<VerifiedAttribution> {
    const values = [applicationId, organizationId, userId].map(uuidOrNull);
    const [row] = await this.database.query<Row>(VERIFY, values);
    if (!row) throw new Error('The statement returned no row.');
    const { application, organization_exists: organizationExists, is_member: isMember } = row;
    return { application, organizationExists, isMember };
  }
}

const uuidOrNull = (text: string | undefined): string | null =>
  text !== undefined && isUuid(text) ? text : null;
