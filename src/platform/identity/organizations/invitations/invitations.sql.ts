/** Maximum pending invitations of an organization. */
export const MAX_PENDING = 200;

/** Maximum in `/api/auth/me`; `/api/auth/me/invitations` lists all. */
export const MAX_SHOWN_WITH_ME = 20;

const COLUMNS = `i.id, i.organization_id, o.name AS organization, i.user_id, i.email, i.role, i.invited_by,
  inviter.name AS inviter, i.created_at, i.expires_at,
  CASE WHEN i.status = 'pending' AND i.expires_at <= now() THEN 'expired' ELSE i.status END AS status`;

const SELECT = `SELECT ${COLUMNS} FROM identity.invitation i
  JOIN identity.organization o ON o.id = i.organization_id
  LEFT JOIN identity.user_account inviter ON inviter.id = i.invited_by`;

/** $1 organization, $2 after this id, $3 count. */
export const LIST_OF_ORGANIZATION = `${SELECT}
  WHERE i.organization_id = $1 AND i.status = 'pending' AND ($2::uuid IS NULL OR i.id < $2) ORDER BY i.id DESC LIMIT $3`;

/** $1 user, $2 after this id, $3 count. */
export const LIST_OF_USER = `${SELECT}
  WHERE i.user_id = $1 AND i.status = 'pending' AND i.expires_at > now() AND ($2::uuid IS NULL OR i.id < $2)
  ORDER BY i.id DESC LIMIT $3`;

/** $1 invitation. */
export const GET = `${SELECT} WHERE i.id = $1`;

/** $1 organization, $2 user or null, $3 email key or null. Pending invitations of a person, including expired ones. */
const OF_PERSON = `organization_id = $1 AND status = 'pending' AND CASE WHEN $2::uuid IS NULL
    THEN user_id IS NULL AND email_key = $3 ELSE user_id = $2 END`;

/** Parameters as in `OF_PERSON`. */
export const FIND_PENDING = `SELECT id FROM identity.invitation WHERE ${OF_PERSON}`;

/**
 * Closes the expired invitation of a person, so that the person can be invited again. Administrators can resend those of
 * others. Parameters as in `OF_PERSON`.
 */
export const CLOSE_EXPIRED = `UPDATE identity.invitation SET status = 'expired', closed_at = expires_at
  WHERE ${OF_PERSON} AND expires_at <= now()`;

/** Pending and unexpired invitations of an organization, which count against the maximum. */
const countPending = (organization: string) => `(SELECT count(*) FROM identity.invitation
  WHERE organization_id = ${organization} AND status = 'pending' AND expires_at > now())`;

/** $1 id, $2 organization, $3 user, $4 email, $5 email key, $6 role, $7 inviter, $8 days. No row: too many are pending. */
export const ADD = `INSERT INTO identity.invitation
    (id, organization_id, user_id, email, email_key, role, invited_by, expires_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, now() + $8::int * interval '1 day'
   WHERE ${countPending('$2')} < ${MAX_PENDING}
  RETURNING id`;

/** $1 invitation, $2 inviter, $3 days. No row: it was closed. `fits`: an expired one counts against the maximum again. */
export const RENEW = `UPDATE identity.invitation i
   SET invited_by = $2, expires_at = now() + $3::int * interval '1 day'
  FROM identity.invitation before
 WHERE i.id = $1 AND i.status = 'pending' AND before.id = i.id
 RETURNING before.expires_at > now() OR ${countPending('i.organization_id')} < ${MAX_PENDING} AS fits`;

/** $1 invitation, $2 status. */
export const CLOSE = `UPDATE identity.invitation SET status = $2, closed_at = now() WHERE id = $1`;

/** Closed and expired ones; the audit keeps their events longer. */
export const DELETE_OLD_INVITATIONS = `DELETE FROM identity.invitation
  WHERE least(closed_at, expires_at) < now() - interval '90 days'`;
