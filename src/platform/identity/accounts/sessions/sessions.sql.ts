import { statement } from '#libs/database';

/** Per user; also the length of the list. */
const MAX_SESSIONS = 200;

/**
 * $1 session, $2 user, $3 verified password hash, $4 address, $5 user agent, $6 days; then the pair: $7 and $8 hashes,
 * $9 version, $10 minutes, $11 days. No row: the password has changed or the account is disabled. The lock waits for a
 * concurrent change of either; a later change finds the session.
 */
export const OPEN = statement(
  'identity_session_open',
  `WITH account AS (
     SELECT id FROM identity.user_account WHERE id = $2 AND password_hash = $3 AND disabled_at IS NULL FOR SHARE
   ), session AS (
     INSERT INTO identity.session (id, user_id, address, user_agent, expires_at)
     SELECT $1::uuid, id, $4, $5, now() + $6::int * interval '1 day' FROM account RETURNING id, expires_at
   ), access AS (
     INSERT INTO identity.access_token (hash, hash_version, session_id, expires_at)
     SELECT $7::bytea, $9::int, id, least(expires_at, now() + $10::int * interval '1 minute') FROM session
     RETURNING expires_at
   ), refresh AS (
     INSERT INTO identity.refresh_token (hash, hash_version, session_id, expires_at)
     SELECT $8::bytea, $9::int, id, least(expires_at, now() + $11::int * interval '1 day') FROM session
     RETURNING expires_at
   )
   SELECT access.expires_at AS access_expires_at, refresh.expires_at AS refresh_expires_at FROM access, refresh`,
);

/**
 * $1 candidates of the presented token; then the pair: $2 and $3 hashes, $4 version, $5 minutes, $6 days; $7 encrypted
 * response, $8 client hash. No row: the token is not valid.
 */
export const REFRESH = statement(
  'identity_session_refresh',
  `WITH spent AS (
     UPDATE identity.refresh_token t SET used_at = now(), answer = $7, answered_client = $8
       FROM identity.session s JOIN identity.user_account u ON u.id = s.user_id
      WHERE t.hash = ANY ($1::bytea[]) AND t.used_at IS NULL AND t.expires_at > now()
        AND s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL
     RETURNING s.id, s.expires_at
   ), used AS (
     UPDATE identity.session SET last_used_at = now() WHERE id IN (SELECT id FROM spent)
   ), access AS (
     INSERT INTO identity.access_token (hash, hash_version, session_id, expires_at)
     SELECT $2::bytea, $4::int, id, least(expires_at, now() + $5::int * interval '1 minute') FROM spent
     RETURNING expires_at
   ), refresh AS (
     INSERT INTO identity.refresh_token (hash, hash_version, session_id, expires_at)
     SELECT $3::bytea, $4::int, id, least(expires_at, now() + $6::int * interval '1 day') FROM spent
     RETURNING expires_at
   )
   SELECT access.expires_at AS access_expires_at, refresh.expires_at AS refresh_expires_at FROM access, refresh`,
);

/** Retention of a refresh response for a client that did not receive it. */
const GRACE = "interval '30 seconds'";

/** $1 candidates of a used refresh token, $2 candidates of the client. Finds its response in an active session. */
export const FIND_RESPONSE = statement(
  'identity_session_find_answer',
  `SELECT t.answer, s.id FROM identity.refresh_token t
     JOIN identity.session s ON s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > now()
     JOIN identity.user_account u ON u.id = s.user_id AND u.disabled_at IS NULL
    WHERE t.hash = ANY ($1::bytea[]) AND t.used_at > now() - ${GRACE} AND t.answered_client = ANY ($2::bytea[])
      AND t.answer IS NOT NULL`,
);

/** $1 and $2 candidates of the tokens of a response, $3 session. No row: the client received it and used its refresh token. */
export const FIND_EXPIRIES = statement(
  'identity_session_find_expiries',
  `SELECT a.expires_at AS access_expires_at, r.expires_at AS refresh_expires_at
     FROM identity.access_token a JOIN identity.refresh_token r USING (session_id)
    WHERE a.hash = ANY ($1::bytea[]) AND r.hash = ANY ($2::bytea[]) AND a.session_id = $3 AND r.used_at IS NULL`,
);

/** $1 candidates of a refresh token, used or not. */
export const REVOKE_BY_REFRESH_TOKEN = statement(
  'identity_session_revoke_by_refresh_token',
  `UPDATE identity.session s SET revoked_at = now(), revoked_because = 'logout'
     FROM identity.refresh_token t
    WHERE t.hash = ANY ($1::bytea[]) AND s.id = t.session_id AND s.revoked_at IS NULL
   RETURNING s.id, s.user_id`,
);

/** $1 candidates of a refused refresh token. Ends its session if the token was used before. */
export const END_REUSED = statement(
  'identity_session_end_reused',
  `UPDATE identity.session s SET revoked_at = now(), revoked_because = 'refresh_token_reused'
     FROM identity.refresh_token t
    WHERE t.hash = ANY ($1::bytea[]) AND t.used_at IS NOT NULL AND s.id = t.session_id AND s.revoked_at IS NULL
   RETURNING s.id, s.user_id`,
);

/**
 * $1 user. Ends the least recently used sessions above the maximum. Skips locked ones: a concurrent request uses or ends them.
 */
export const END_EXCESS = statement(
  'identity_session_end_excess',
  `UPDATE identity.session SET revoked_at = now(), revoked_because = 'too_many' WHERE id IN (
     SELECT id FROM identity.session WHERE revoked_at IS NULL AND id IN (
       SELECT id FROM identity.session WHERE user_id = $1 AND revoked_at IS NULL
        ORDER BY last_used_at DESC, id DESC OFFSET ${MAX_SESSIONS})
     FOR NO KEY UPDATE SKIP LOCKED)`,
);

export const REVOKE_BY_TOKEN = statement(
  'identity_session_revoke_by_token',
  `UPDATE identity.session s SET revoked_at = now(), revoked_because = 'logout'
     FROM identity.access_token t
    WHERE t.hash = ANY ($1::bytea[]) AND s.id = t.session_id AND s.revoked_at IS NULL
   RETURNING s.id, s.user_id`,
);

export const REVOKE_ONE = statement(
  'identity_session_revoke_one',
  `UPDATE identity.session SET revoked_at = now(), revoked_because = 'revoked'
    WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > now() RETURNING id`,
);

export const REVOKE_OTHERS = statement(
  'identity_session_revoke_others',
  `UPDATE identity.session s SET revoked_at = now(), revoked_because = 'password_changed'
    WHERE s.user_id = $1 AND s.revoked_at IS NULL AND NOT EXISTS (
      SELECT FROM identity.access_token t WHERE t.session_id = s.id AND t.hash = ANY ($2::bytea[]))`,
);

/** A session without a valid token has expired too. */
export const LIST = statement(
  'identity_session_list',
  `SELECT s.id, s.address, s.user_agent AS "userAgent", s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt",
          s.expires_at AS "expiresAt",
          EXISTS (SELECT FROM identity.access_token t
                   WHERE t.session_id = s.id AND t.hash = ANY ($2::bytea[])) AS current
     FROM identity.session s
    WHERE s.user_id = $1 AND s.revoked_at IS NULL AND s.expires_at > now()
      AND (EXISTS (SELECT FROM identity.refresh_token t
                    WHERE t.session_id = s.id AND t.used_at IS NULL AND t.expires_at > now())
           OR EXISTS (SELECT FROM identity.access_token t WHERE t.session_id = s.id AND t.expires_at > now()))
    ORDER BY s.created_at DESC, s.id DESC LIMIT ${MAX_SESSIONS}`,
);

/** Used refresh tokens remain until their session is deleted, so that their reuse is detected. */
export const DELETE_EXPIRED = [
  `UPDATE identity.refresh_token SET answer = NULL, answered_client = NULL
    WHERE answer IS NOT NULL AND used_at < now() - ${GRACE}`,
  `DELETE FROM identity.access_token WHERE expires_at < now() - interval '1 day'`,
  `DELETE FROM identity.service_principal_token WHERE expires_at < now() - interval '1 day'`,
  `DELETE FROM identity.session WHERE least(expires_at, revoked_at) < now() - interval '90 days'`,
  `DELETE FROM identity.login_limit WHERE last_failed_at < now() - interval '1 day'`,
];
