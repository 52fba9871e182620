import type { Database } from '#libs/database';

/** Prefix of encrypted texts, as `ENCRYPTION_KEYS` of the measured services name their key. */
export const KEY_ID = 'growth';

/**
 * $1 rows. Each has a brand of an organization of its own. Nothing is due: what a worker looks for is not among them.
 * In the order of their dependencies.
 */
const TABLES: Readonly<Record<string, string>> = {
  'brands.brand_view': `(id, organization_id, name, timezone, version, created_at, updated_at)
    SELECT gen_random_uuid(), gen_random_uuid(), 'Stored', 'UTC', 1, past, past FROM generate_series(1, $1::int)
    CROSS JOIN (SELECT now() - interval '1 year' AS past) AS past`,
  'integrations.connection': `(id, brand_id, user_id, platform, account_id, username, display_name, scopes, pages, groups, state,
      access_token, refresh_token, access_expires_at, facts_due_at)
    SELECT gen_random_uuid(), id, gen_random_uuid(), platform, id::text, 'acme', 'Acme', '{}', '[]', '[]', 'active', '${KEY_ID}.token',
      CASE WHEN platform <> 'facebook' THEN '${KEY_ID}.token' END, now() + interval '90 days', now() + interval '1 day'
    FROM brand CROSS JOIN unnest('{x,facebook,linkedin}'::text[]) AS platform`,
  'integrations.publish_preparation': `(post_id, connection_id, fingerprint, state)
    SELECT gen_random_uuid(), id, 'f', '${KEY_ID}.state' FROM brand`,
  'integrations.network_usage': `(platform, account_id, counter, resets_at)
    SELECT 'x', id::text, 'posts', now() + interval '1 hour' FROM brand`,
  'integrations.authorization_request': `(state_hash, platform, brand_id, organization_id, user_id, redirect_uri, code_verifier,
      cookie_hash, expires_at)
    SELECT sha256(id::text::bytea), 'x', id, organization_id, id, '', '', '', now() + interval '10 minutes' FROM brand`,
  'integrations.connect_start': `(token_hash, platform, brand_id, caller_authorization, expires_at)
    SELECT sha256(id::text::bytea), 'x', id, '', now() + interval '5 minutes' FROM brand`,
  'posts.publication': `(post_id, brand_id, platform, author_id, target, scheduled_at, due_at, version)
    SELECT gen_random_uuid(), id, 'x', id, '{}', now() + interval '1 day', now() + interval '1 day', 1 FROM brand`,
  'media.file': `(id, brand_id, status, kind, file_name, content_type, bytes, object_key, upload_expires_at, created_by_type, created_by)
    SELECT gen_random_uuid(), id, status, 'image', 'a.jpg', 'image/jpeg', 1000, gen_random_uuid()::text, now() + interval '1 hour',
      'user', 'x'
    FROM brand CROSS JOIN unnest('{ready,uploading,rejected}'::text[]) AS status`,
  'media.rendition': `(id, media_id, spec_key, spec, focus_x, focus_y, status, object_key, etag, content_type, bytes, brand_id)
    SELECT gen_random_uuid(), file.id, 's', '{"kind": "image"}', 0.5, 0.5, 'ready', gen_random_uuid()::text, 'e', 'image/jpeg', 1, brand_id
    FROM media.file JOIN brand ON brand.id = brand_id WHERE status = 'ready'`,
  'media.object_to_remove': `(key, adoptable, due_at) SELECT id::text, true, now() + interval '1 hour' FROM brand`,
  'contacts.object_to_remove': `(key, adoptable, due_at) SELECT id::text, true, now() + interval '1 hour' FROM brand`,
  'ai.keyed_image': `(key, fingerprint, result) SELECT id::text, 'f', '{}' FROM brand`,
  'ai.trend_source': `(brand_id, kind, key, version, name, dropped, attempted_at, is_limited)
    SELECT id, 'feed', 'k', 1, 'n', 0, now(), false FROM brand`,
  'ai.trend': `(id, brand_id, kind, key, identity, title, summary, source_name, first_seen_at, seen_at, seen_version)
    SELECT gen_random_uuid(), id, 'feed', 'k', '', 't', 's', 'n', now(), now(), 1 FROM brand`,
  'ai.trend_ask': `(brand_id, kind, key, idempotency_key, organization_id, brand_name, asked_at)
    SELECT id, 'feed', 'k', id, organization_id, 'n', now() FROM brand`,
  'identity.user_account': `(id, email, email_key, name, password_hash) SELECT id, id::text, id::text, 'Ada', '' FROM brand`,
  'identity.organization': `(id, name) SELECT organization_id, 'Acme' FROM brand`,
  'identity.session': `(id, user_id, expires_at) SELECT id, id, now() + interval '1 day' FROM brand`,
  'identity.access_token': `(hash, hash_version, session_id, expires_at)
    SELECT sha256(id::text::bytea), 1, id, now() + interval '1 hour' FROM brand`,
  'identity.refresh_token': `(hash, hash_version, session_id, expires_at, used_at, answer)
    SELECT sha256(id::text::bytea), 1, id, now() + interval '1 day', now(), '' FROM brand`,
  'identity.login_limit': `(key, failures, blocked_until, last_failed_at) SELECT id::text, 1, now(), now() FROM brand`,
  'identity.invitation': `(id, organization_id, email, email_key, role, expires_at)
    SELECT id, organization_id, id::text, id::text, 'member', now() + interval '7 days' FROM brand`,
  'identity.familiar_network': `(hash, hash_version, user_id) SELECT sha256(id::text::bytea), 1, id FROM brand`,
  'identity.audit_event': `(id, action, result, actor_type, address)
    SELECT id, 'login', 'success', 'user', '127.0.0.1' FROM brand`,
  'http.idempotent_request': `(key, fingerprint, owner, lease_until, response, expires_at, ids)
    SELECT sha256(id::text::bytea), '', id, now(), '{}', now() + interval '1 day', ARRAY[id] FROM brand`,
  'http.rate_limit': `(key, points, expire)
    SELECT id::text, 1, extract(epoch FROM now() + interval '1 minute')::bigint * 1000 FROM brand`,
};

/** Rows of as many small organizations, which are there and of which nothing is due. */
export async function fillInstallation(database: Database, organizations: number): Promise<void> {
  const [first, ...others] = Object.entries(TABLES);
  const [table, rows] = first as [string, string];
  await database.transaction(async (transaction) => {
    await transaction.query(
      `CREATE TEMPORARY TABLE brand ON COMMIT DROP AS
       WITH new AS (INSERT INTO ${table} ${rows} RETURNING id, organization_id) TABLE new`,
      [organizations],
    );
    for (const [name, source] of others) await transaction.query(`INSERT INTO ${name} ${source}`);
  });
  for (const name of [...Object.keys(TABLES), 'media.storage_of_brand', 'uploads.storage_use'])
    await database.query(`VACUUM ANALYZE ${name}`);
}
