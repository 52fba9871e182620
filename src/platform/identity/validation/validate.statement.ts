import { statement } from '#libs/database';

/** One row of the answer: what one of the two credentials stands for. */
export interface CredentialRow {
  readonly credential: 'bearer' | 'key';
  readonly type: 'user' | 'service' | 'api_key';
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly principal_type: string;
  readonly principal_services: string[];
  readonly launcher_eligible: boolean;
  readonly expires_at: Date | null;
  readonly organizations: OrganizationRow[];
  /** null: no service was asked about, or there is none with this slug. */
  readonly service_id: string | null;
}

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly scopes: string[];
  readonly brandIds: string[] | null;
}

/**
 * Everything about one request's credentials, in one round trip: it runs before every request of every service.
 * $1 candidates of the bearer, $2 candidates of the key, $3 slug of the service. When a credential was last used is
 * noted once a minute, so that reading does not become writing.
 */
export const VALIDATE = statement(
  'identity_validate',
  `WITH asked AS (SELECT id, slug FROM identity.service WHERE slug = $3),
  person AS (
    SELECT u.id, u.name, u.email, u.principal_type, u.launcher_eligible, t.expires_at, s.id AS session_id,
           s.last_used_at
      FROM identity.access_token t
      JOIN identity.session s ON s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > now()
      JOIN identity.user_account u ON u.id = s.user_id AND u.disabled_at IS NULL
     WHERE t.hash = ANY ($1::bytea[]) AND t.expires_at > now()
  ),
  automation AS (
    SELECT 'bearer' AS credential, 'service' AS type, p.id, p.name, p.organization_id, p.service_id, p.scopes,
           p.brand_ids, t.expires_at, NULL::timestamptz AS last_used_at
      FROM identity.service_principal_token t
      JOIN identity.service_principal p ON p.id = t.principal_id AND p.disabled_at IS NULL
     WHERE t.hash = ANY ($1::bytea[]) AND (t.expires_at IS NULL OR t.expires_at > now())
    UNION ALL
    SELECT 'key', 'api_key', k.id, k.name, k.organization_id, k.service_id, k.scopes, k.brand_ids, k.expires_at,
           k.last_used_at
      FROM identity.api_key k
     WHERE k.hash = ANY ($2::bytea[]) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
  ),
  touched_session AS (
    UPDATE identity.session SET last_used_at = now()
     WHERE id IN (SELECT session_id FROM person WHERE last_used_at < now() - interval '1 minute')
  ),
  touched_key AS (
    UPDATE identity.api_key SET last_used_at = now()
     WHERE id IN (SELECT id FROM automation
                   WHERE type = 'api_key' AND coalesce(last_used_at < now() - interval '1 minute', true))
  )
  SELECT 'bearer' AS credential, 'user' AS type, person.id, person.name, person.email, person.principal_type,
         '{}'::text[] AS principal_services, person.launcher_eligible, person.expires_at, asked.id AS service_id,
         (SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role, 'scopes',
                   identity.scopes_of(o.id, m.user_id, m.role, asked.id), 'brandIds', NULL) ORDER BY o.id), '[]')
            FROM identity.membership m JOIN identity.organization o ON o.id = m.organization_id
           WHERE m.user_id = person.id) AS organizations
    FROM person LEFT JOIN asked ON true
  UNION ALL
  SELECT a.credential, a.type, a.id, a.name, NULL, a.type, ARRAY[own.slug], false, a.expires_at, asked.id,
         json_build_array(json_build_object('id', o.id, 'name', o.name, 'role', a.type, 'scopes',
           (SELECT coalesce(array_agg(c.scope ORDER BY c.scope), '{}')
              FROM identity.api_key_scope c
             WHERE c.service_id = asked.id AND a.service_id = asked.id AND c.scope = ANY (a.scopes)
               AND EXISTS (SELECT FROM identity.organization_service_access x
                            WHERE x.organization_id = o.id AND x.service_id = asked.id)),
           'brandIds', a.brand_ids))
    FROM automation a
    JOIN identity.organization o ON o.id = a.organization_id
    JOIN identity.service own ON own.id = a.service_id
    LEFT JOIN asked ON true`,
);
