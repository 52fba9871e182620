/** The columns of `ApiKeyDto`: never more of the secret than its last four characters. */
const SHOWN = `k.id, k.name, s.slug AS service, k.prefix, k.last_four AS "lastFour", k.scopes, k.brand_ids AS "brandIds",
  k.created_by AS "createdBy", k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt",
  k.revoked_at AS "revokedAt", k.replaced_by AS "replacedBy"`;

/**
 * A key counts against the maximum while it is valid, and once during a rotation. The count is correct only under the lock of
 * the organization's row, because it uses the snapshot of the insert.
 */
export const CREATE = `
  WITH k AS (
    INSERT INTO identity.api_key (id, organization_id, service_id, name, prefix, last_four, hash, hash_version,
                                  scopes, brand_ids, created_by, expires_at)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8::int, $9, $10, $11, $12::timestamptz
     WHERE (SELECT count(*) FROM identity.api_key other
             WHERE other.organization_id = $2 AND other.revoked_at IS NULL AND other.replaced_by IS NULL
               AND (other.expires_at IS NULL OR other.expires_at > now())) < $13
    RETURNING *
  )
  SELECT ${SHOWN} FROM k JOIN identity.service s ON s.id = k.service_id`;

export const LIST = `
  SELECT ${SHOWN} FROM identity.api_key k JOIN identity.service s ON s.id = k.service_id
   WHERE k.organization_id = $1 AND ($2::uuid IS NULL OR k.id > $2) ORDER BY k.id LIMIT $3`;

/** Idempotent: keeps the first revocation time. */
export const REVOKE = `
  WITH k AS (
    UPDATE identity.api_key SET revoked_at = coalesce(revoked_at, now())
     WHERE organization_id = $1 AND id = $2 RETURNING *
  )
  SELECT ${SHOWN} FROM k JOIN identity.service s ON s.id = k.service_id`;

/** $1 organization, $2 old key, $3 minutes of overlap; then of the new one: $4 id, $5 last four, $6 hash, $7 version, $8 creator. */
export const ROTATE = `
  WITH old AS (
    SELECT * FROM identity.api_key
     WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL AND replaced_by IS NULL
       AND (expires_at IS NULL OR expires_at > now()) FOR UPDATE
  ), k AS (
    INSERT INTO identity.api_key (id, organization_id, service_id, name, prefix, last_four, hash, hash_version,
                                  scopes, brand_ids, created_by, expires_at)
    SELECT $4, organization_id, service_id, name, prefix, $5, $6, $7::int, scopes, brand_ids, $8, expires_at FROM old
    RETURNING *
  ), ending AS (
    UPDATE identity.api_key o
       SET replaced_by = k.id, expires_at = least(o.expires_at, now() + $3::int * interval '1 minute')
      FROM k WHERE o.id = $2
  )
  SELECT ${SHOWN} FROM k JOIN identity.service s ON s.id = k.service_id`;
