import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first part of a text of SecretBox, which names its key. In the order of bytes, so that no key id is after '~'. */
const keyOf = (column: string) => `split_part(${column}, '.', 1) COLLATE "C"`;

/**
 * `consent_id`: accounts of one sign-in may share the consent of one person; an account without it stands for itself. `facts`: what
 * rules of a network depend on and differs between its accounts, such as a subscription; read again at `facts_due_at`.
 * `refresh_expires_at`: when the refresh token ends; null: not stated, or there is none. `end_announced_version`: version of the
 * tokens whose end was announced. `signed_in_at`: when the sign-in of the connection began.
 *
 * Each index that a sweep uses is a range, so that the sweep reads what is due and nothing else.
 */
const CONNECTION = `
  CREATE TABLE integrations.connection (
    id uuid PRIMARY KEY,
    brand_id uuid NOT NULL,
    user_id uuid NOT NULL,
    platform text NOT NULL,
    account_id text NOT NULL,
    username text NOT NULL,
    display_name text NOT NULL,
    avatar_url text,
    scopes text[] NOT NULL,
    pages jsonb NOT NULL,
    groups jsonb NOT NULL,
    state text NOT NULL CHECK (state IN ('active', 'reconnect-needed', 'disconnected')),
    access_token text,
    refresh_token text,
    access_expires_at timestamptz,
    token_version int NOT NULL DEFAULT 1,
    held_until timestamptz,
    hold_reason text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    consent_id text,
    facts jsonb NOT NULL DEFAULT '{}',
    refresh_expires_at timestamptz,
    end_announced_version int,
    facts_due_at timestamptz NOT NULL DEFAULT now(),
    signed_in_at timestamptz,
    UNIQUE (brand_id, platform, account_id, user_id),
    CHECK (state <> 'active' OR access_token IS NOT NULL),
    CHECK (state <> 'disconnected' OR (access_token IS NULL AND refresh_token IS NULL))
  );
  CREATE INDEX connection_account ON integrations.connection (platform, account_id);
  CREATE INDEX connection_consent ON integrations.connection (platform, consent_id) WHERE consent_id IS NOT NULL;
  CREATE INDEX connection_facts_due ON integrations.connection (facts_due_at) WHERE state = 'active';
  CREATE INDEX connection_expiring ON integrations.connection (platform, access_expires_at) WHERE state = 'active';
  CREATE INDEX connection_ending ON integrations.connection
    (platform, (CASE WHEN refresh_token IS NULL THEN access_expires_at ELSE refresh_expires_at END))
    WHERE state = 'active' AND end_announced_version IS DISTINCT FROM token_version;
  CREATE INDEX connection_by_key ON integrations.connection
    ((${keyOf('access_token')} || ' ' || ${keyOf('coalesce(refresh_token, access_token)')}), id)
    WHERE access_token IS NOT NULL`;

/**
 * Sign-ins at a network that are under way. Their return removes them, or a sweep. `caller_authorization`: whose session began the
 * sign-in, encrypted: the caller is asked for again when it returns. Rows live for ten minutes, those of `connect_start`, which
 * are tokens with which a browser starts to connect an account, for one.
 *
 * `provider_setup`: as whom the API last started at each network, as a hash. It tells a refusal of this service from one of the
 * application that it was before.
 */
const SIGN_IN = `
  CREATE TABLE integrations.authorization_request (
    state_hash bytea PRIMARY KEY,
    platform text NOT NULL,
    brand_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    redirect_uri text NOT NULL,
    code_verifier text NOT NULL,
    cookie_hash bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    caller_authorization text
  );
  CREATE INDEX authorization_request_expired ON integrations.authorization_request (expires_at);

  CREATE TABLE integrations.connect_start (
    token_hash bytea PRIMARY KEY,
    platform text NOT NULL,
    brand_id uuid NOT NULL,
    caller_authorization text NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX connect_start_expired ON integrations.connect_start (expires_at);

  CREATE TABLE integrations.provider_setup (platform text PRIMARY KEY, setup_hash bytea NOT NULL)`;

/**
 * Posts that a network needs several steps for: where each one is. `step` null: everything is there for the irreversible call.
 * `committing`: the attempt began that call. `state`: ids, upload and session addresses, encrypted; null once the account is
 * disconnected. `files` identifies the bytes of the files that are prepared; null: without files.
 *
 * `taken_back_from`: the attempt that a takeover found dead before the irreversible call; it does not begin again. `waited_ms`:
 * over all waits for this content. `restarted`: how often its steps began again because the network had dropped them.
 */
const PREPARATION = `
  CREATE TABLE integrations.publish_preparation (
    post_id uuid PRIMARY KEY,
    connection_id uuid NOT NULL,
    fingerprint text NOT NULL,
    attempt_id uuid,
    committing boolean NOT NULL DEFAULT false,
    step text,
    state text,
    began_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    taken_back_from uuid,
    waited_ms integer NOT NULL DEFAULT 0,
    restarted integer NOT NULL DEFAULT 0,
    files text
  );
  CREATE INDEX publish_preparation_connection ON integrations.publish_preparation (connection_id);
  CREATE INDEX publish_preparation_updated ON integrations.publish_preparation (updated_at);
  CREATE INDEX publish_preparation_by_key ON integrations.publish_preparation ((${keyOf('state')}), post_id)
    WHERE state IS NOT NULL`;

/**
 * `network_outage`: networks that did not answer lately. `failed_accounts`: those whose last attempt had no answer, since the
 * network last answered any; emptied by an answer. `open_since`: nothing is sent to the network but a probe, next at `probe_at`.
 *
 * `network_usage`: how much of the limits of networks is used. `account_id` is empty for a limit of the whole service. `used`: uses
 * in each part of the window, oldest first; `part`: number of the last one since 1970, 0 for windows of one part. `taken`: uses ever
 * taken, which orders them. Rows are updated for each post: the free space keeps updates in their page.
 */
const NETWORKS = `
  CREATE TABLE integrations.platform_hold (platform text PRIMARY KEY, until timestamptz NOT NULL, reason text NOT NULL);

  CREATE TABLE integrations.network_outage (
    platform text PRIMARY KEY,
    failed_accounts text[] NOT NULL,
    failed_at timestamptz NOT NULL,
    failure jsonb NOT NULL,
    open_since timestamptz,
    probe_at timestamptz,
    probes int NOT NULL DEFAULT 0,
    closed_at timestamptz,
    CHECK ((open_since IS NULL) = (probe_at IS NULL))
  );

  CREATE TABLE integrations.network_usage (
    platform text NOT NULL,
    account_id text NOT NULL,
    counter text NOT NULL,
    used int[] NOT NULL DEFAULT '{}',
    part bigint NOT NULL DEFAULT 0,
    resets_at timestamptz NOT NULL DEFAULT '-infinity',
    closed_until timestamptz,
    stated_max int,
    taken bigint NOT NULL DEFAULT 0,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (platform, account_id, counter)
  ) WITH (fillfactor = 50)`;

/**
 * Accepted deauthorize and data-deletion callbacks of networks. `digest` is of the signature, so that a repeated request is recognised
 * without storing whom it names.
 */
const CALLBACKS = `
  CREATE TABLE integrations.signed_callback (
    kind text NOT NULL CHECK (kind IN ('deauthorize', 'data-deletion')),
    platform text NOT NULL,
    digest bytea NOT NULL,
    code text UNIQUE,
    connections int NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (kind, platform, digest),
    CHECK ((kind = 'data-deletion') = (code IS NOT NULL))
  )`;

/** Connected accounts, how they are signed in to, posts that are prepared at networks, and how networks answer. */
export class Integrations1790001000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA integrations');
    for (const sql of [CONNECTION, SIGN_IN, PREPARATION, NETWORKS, CALLBACKS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA integrations CASCADE');
  }
}
