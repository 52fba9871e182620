const SHOWN = `p.id, p.name, s.slug AS service, p.scopes, p.brand_ids AS "brandIds", p.created_by AS "createdBy",
  p.created_at AS "createdAt", p.disabled_at AS "disabledAt"`;
const WITH_SERVICE = 'JOIN identity.service s ON s.id = p.service_id';

/**
 * $1 id, $2 organization, $3 service, $4 name, $5 scopes, $6 brands, $7 creator; of its token: $8 hash, $9 version, $10 last
 * four, $11 expiry; $12 maximum. A principal counts while it has a valid token. The count is correct only under the lock of the
 * organization's row.
 */
export const CREATE = `
  WITH p AS (
    INSERT INTO identity.service_principal (id, organization_id, service_id, name, scopes, brand_ids, created_by)
    SELECT $1::uuid, $2::uuid, $3::uuid, $4, $5::text[], $6::uuid[], $7::uuid
     WHERE (SELECT count(*) FROM identity.service_principal other
             WHERE other.organization_id = $2 AND other.disabled_at IS NULL AND EXISTS (
               SELECT FROM identity.service_principal_token t
                WHERE t.principal_id = other.id AND (t.expires_at IS NULL OR t.expires_at > now()))) < $12::int
    RETURNING *
  ), token AS (
    INSERT INTO identity.service_principal_token (hash, hash_version, principal_id, last_four, expires_at)
    SELECT $8, $9::int, id, $10, $11::timestamptz FROM p
  )
  SELECT ${SHOWN}, json_build_array(json_build_object('lastFour', $10::text, 'expiresAt', $11::timestamptz)) AS tokens
    FROM p ${WITH_SERVICE}`;

const TOKENS = `(SELECT coalesce(json_agg(json_build_object('lastFour', t.last_four, 'expiresAt', t.expires_at)
      ORDER BY t.created_at DESC), '[]') FROM identity.service_principal_token t
   WHERE t.principal_id = p.id AND (t.expires_at IS NULL OR t.expires_at > now())) AS tokens`;

export const LIST = `
  SELECT ${SHOWN}, ${TOKENS} FROM identity.service_principal p ${WITH_SERVICE}
   WHERE p.organization_id = $1 AND ($2::uuid IS NULL OR p.id > $2) ORDER BY p.id LIMIT $3`;

export const DISABLE = `
  WITH p AS (
    UPDATE identity.service_principal SET disabled_at = coalesce(disabled_at, now())
     WHERE organization_id = $1 AND id = $2 RETURNING *
  )
  SELECT ${SHOWN}, ${TOKENS} FROM p ${WITH_SERVICE}`;

/** $1 organization, $2 principal. Locks the row unless the principal is disabled. */
export const FOR_ROTATION = `
  SELECT id FROM identity.service_principal
   WHERE organization_id = $1 AND id = $2 AND disabled_at IS NULL FOR UPDATE`;

/**
 * $1 principal, $2 minutes until the old tokens expire; of the new token: $3 hash, $4 version, $5 last four. It gets the
 * latest expiry of the old tokens, which no rotation has shortened. No row: all tokens have expired.
 */
export const ROTATE = `
  WITH ending AS (
    UPDATE identity.service_principal_token SET expires_at = least(expires_at, now() + $2::int * interval '1 minute')
     WHERE principal_id = $1 AND (expires_at IS NULL OR expires_at > now())
  )
  INSERT INTO identity.service_principal_token (principal_id, hash, hash_version, last_four, expires_at)
  SELECT principal_id, $3, $4::int, $5, nullif(max(coalesce(expires_at, 'infinity')), 'infinity')
    FROM identity.service_principal_token
   WHERE principal_id = $1 AND (expires_at IS NULL OR expires_at > now())
   GROUP BY principal_id
  RETURNING principal_id`;

export const GET = `
  SELECT ${SHOWN}, ${TOKENS} FROM identity.service_principal p ${WITH_SERVICE}
   WHERE p.organization_id = $1 AND p.id = $2`;
