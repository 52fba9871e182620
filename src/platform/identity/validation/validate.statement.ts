import { statement } from '#libs/database';

/** The column is true unless revoked. External accounts are not eligible, because no grant exists yet. */
export const LAUNCHER_ELIGIBLE = `launcher_eligible AND principal_type <> 'external' AS launcher_eligible`;

/** The principal of a credential and its organizations. */
export interface CredentialRow {
  readonly type: 'user' | 'service' | 'api_key';
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly principal_type: string;
  readonly principal_services: string[];
  readonly launcher_eligible: boolean;
  readonly expires_at: Date | null;
  readonly organizations: OrganizationRow[];
  /** null: no service was requested, or the slug is unknown. */
  readonly service_id: string | null;
  /** The id to touch; null when it was touched within the last minute. */
  readonly touch: string | null;
}

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly scopes: string[];
  readonly brandIds: string[] | null;
  readonly isAdministrative: boolean;
}

/**
 * These statements run before every request of every service: one round trip per credential. $1 hash, $2 slug of the service.
 * They do not call functions of the schema: PostgreSQL would plan each execution again, which costs several times the execution.
 */
const PERSON_SCOPES = `ARRAY(
  SELECT b.scope FROM identity.role_bundle_permission b
   WHERE b.service_id = a.service_id AND b.role = m.role AND NOT EXISTS (
     SELECT FROM identity.permission_override denied
      WHERE denied.organization_id = m.organization_id AND denied.user_id = m.user_id
        AND denied.service_id = a.service_id AND denied.scope = b.scope AND denied.effect = 'deny')
  UNION
  SELECT allowed.scope FROM identity.permission_override allowed
   WHERE allowed.organization_id = m.organization_id AND allowed.user_id = m.user_id
     AND allowed.service_id = a.service_id AND allowed.effect = 'allow'
  ORDER BY 1)`;

/**
 * The scopes equal those of `identity.scopes_of`: an override either allows or denies a scope. The integration test
 * 'returns the scopes of identity.scopes_of' compares both.
 */
export const VALIDATE_PERSON = statement(
  'identity_validate_person',
  `SELECT 'user' AS type, u.id, u.name, u.email, u.principal_type, '{}'::text[] AS principal_services,
          ${LAUNCHER_ELIGIBLE}, t.expires_at, asked.id AS service_id,
          CASE WHEN s.last_used_at < now() - interval '1 minute' THEN s.id END AS touch,
          (SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role,
                    'scopes', ${PERSON_SCOPES}, 'brandIds', NULL, 'isAdministrative', o.administrative) ORDER BY o.id), '[]')
             FROM identity.membership m
             JOIN identity.organization o ON o.id = m.organization_id
             LEFT JOIN identity.organization_service_access a
               ON a.organization_id = m.organization_id AND a.service_id = asked.id
            WHERE m.user_id = u.id) AS organizations
     FROM identity.access_token t
     JOIN identity.session s ON s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > now()
     JOIN identity.user_account u ON u.id = s.user_id AND u.disabled_at IS NULL
     LEFT JOIN identity.service asked ON asked.slug = $2
    WHERE t.hash = $1 AND t.expires_at > now()`,
);

/** Granted scopes in the catalog of the requested service; none unless the automation belongs to that service. */
const automationOrganizations = (granted: string, type: string) => `
  json_build_array(json_build_object('id', o.id, 'name', o.name, 'role', '${type}', 'scopes', ARRAY(
    SELECT c.scope FROM identity.api_key_scope c
      JOIN identity.organization_service_access a ON a.organization_id = o.id AND a.service_id = c.service_id
     WHERE c.service_id = asked.id AND asked.id = own.id AND c.scope = ANY (${granted}.scopes) ORDER BY 1),
    'brandIds', ${granted}.brand_ids, 'isAdministrative', o.administrative)) AS organizations`;

export const VALIDATE_PRINCIPAL = statement(
  'identity_validate_principal',
  `SELECT 'service' AS type, p.id, p.name, NULL AS email, 'service' AS principal_type,
          ARRAY[own.slug] AS principal_services, false AS launcher_eligible, t.expires_at, asked.id AS service_id,
          NULL AS touch, ${automationOrganizations('p', 'service')}
     FROM identity.service_principal_token t
     JOIN identity.service_principal p ON p.id = t.principal_id AND p.disabled_at IS NULL
     JOIN identity.organization o ON o.id = p.organization_id
     JOIN identity.service own ON own.id = p.service_id
     LEFT JOIN identity.service asked ON asked.slug = $2
    WHERE t.hash = $1 AND (t.expires_at IS NULL OR t.expires_at > now())`,
);

/** The id of the first key of a rotation: services recognize an automation by it, whichever of its keys it sends. */
const FIRST_OF_ROTATION = `coalesce((
    WITH RECURSIVE predecessor (id, distance) AS (
      SELECT p.id, 1 FROM identity.api_key p WHERE p.replaced_by = k.id
      UNION ALL
      SELECT p.id, distance + 1 FROM predecessor JOIN identity.api_key p ON p.replaced_by = predecessor.id)
    SELECT predecessor.id FROM predecessor ORDER BY distance DESC LIMIT 1), k.id)`;

export const VALIDATE_KEY = statement(
  'identity_validate_key',
  `SELECT 'api_key' AS type, ${FIRST_OF_ROTATION} AS id, k.name, NULL AS email, 'api_key' AS principal_type,
          ARRAY[own.slug] AS principal_services, false AS launcher_eligible, k.expires_at, asked.id AS service_id,
          CASE WHEN k.last_used_at >= now() - interval '1 minute' THEN NULL ELSE k.id END AS touch,
          ${automationOrganizations('k', 'api_key')}
     FROM identity.api_key k
     JOIN identity.organization o ON o.id = k.organization_id
     JOIN identity.service own ON own.id = k.service_id
     LEFT JOIN identity.service asked ON asked.slug = $2
    WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
);

/** $1 session or key. Only one of many concurrent requests writes. */
export const TOUCH_SESSION = statement(
  'identity_touch_session',
  `UPDATE identity.session SET last_used_at = now() WHERE id = $1 AND last_used_at < now() - interval '1 minute'`,
);
export const TOUCH_KEY = statement(
  'identity_touch_key',
  `UPDATE identity.api_key SET last_used_at = now()
    WHERE id = $1 AND coalesce(last_used_at < now() - interval '1 minute', true)`,
);
