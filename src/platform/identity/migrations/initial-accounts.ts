/**
 * People, their organizations, and how long each may stay signed in.
 *
 * `override_version` is a sequence, so that a member who left and came back never has a version that was read before. Platform
 * administrators administer the installation as members of one organization, which is `administrative`.
 *
 * A refresh is answered again for seconds, for a client that lost the answer. Without both columns a repetition is a reuse.
 * `familiar_network`: from where an account was signed in to, as hashes under a key that is not here: of an address alone all could
 * be tried. The sweep finds what it deletes by its time, without reading every session and token.
 */
export const ACCOUNTS = `
  CREATE TABLE identity.user_account (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    email_key text NOT NULL UNIQUE,
    name text NOT NULL,
    password_hash text NOT NULL,
    principal_type text NOT NULL DEFAULT 'user'
      CHECK (principal_type IN ('user', 'external', 'platform_admin', 'platform_super_admin')),
    launcher_eligible boolean NOT NULL DEFAULT true,
    disabled_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  COMMENT ON COLUMN identity.user_account.email_key IS
    'NFKC, lower case, the domain in Unicode: what makes two addresses the same account';

  CREATE TABLE identity.organization (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    developer_workspace boolean NOT NULL DEFAULT false,
    created_by uuid REFERENCES identity.user_account (id) ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    administrative boolean NOT NULL DEFAULT false
  );
  CREATE UNIQUE INDEX organization_administrative ON identity.organization (administrative) WHERE administrative;
  COMMENT ON COLUMN identity.organization.administrative IS
    'platform administrators act as members of this organization; at most one row';

  CREATE TABLE identity.membership (
    organization_id uuid NOT NULL REFERENCES identity.organization (id) ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES identity.user_account (id) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    created_at timestamptz NOT NULL DEFAULT now(),
    overrides_version int NOT NULL DEFAULT 1,
    PRIMARY KEY (user_id, organization_id)
  );
  CREATE INDEX membership_organization ON identity.membership (organization_id);
  CREATE SEQUENCE identity.override_version AS int START WITH 2;
  COMMENT ON COLUMN identity.membership.overrides_version IS '1: never any since they joined';

  CREATE TABLE identity.session (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES identity.user_account (id) ON DELETE CASCADE,
    address text,
    user_agent text,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    revoked_because text
  );
  CREATE INDEX session_by_user ON identity.session (user_id);
  CREATE INDEX session_in_use ON identity.session (user_id) WHERE revoked_at IS NULL;
  CREATE INDEX session_end ON identity.session (least(expires_at, revoked_at));

  CREATE TABLE identity.access_token (
    hash bytea PRIMARY KEY,
    hash_version smallint NOT NULL,
    session_id uuid NOT NULL REFERENCES identity.session (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX access_token_session ON identity.access_token (session_id);
  CREATE INDEX access_token_expiry ON identity.access_token (expires_at);

  CREATE TABLE identity.refresh_token (
    hash bytea PRIMARY KEY,
    hash_version smallint NOT NULL,
    session_id uuid NOT NULL REFERENCES identity.session (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    answer bytea,
    answered_client bytea
  );
  CREATE INDEX refresh_token_session ON identity.refresh_token (session_id);
  CREATE INDEX refresh_token_answer ON identity.refresh_token (used_at) WHERE answer IS NOT NULL;
  COMMENT ON COLUMN identity.refresh_token.answer IS 'encrypted under a key derived from the token itself';

  CREATE TABLE identity.login_limit (
    key text PRIMARY KEY,
    failures int NOT NULL,
    blocked_until timestamptz NOT NULL,
    last_failed_at timestamptz NOT NULL
  );
  CREATE INDEX login_limit_age ON identity.login_limit (last_failed_at);

  CREATE TABLE identity.familiar_network (
    hash bytea PRIMARY KEY,
    hash_version smallint NOT NULL,
    user_id uuid NOT NULL REFERENCES identity.user_account (id) ON DELETE CASCADE,
    last_seen_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX familiar_network_user ON identity.familiar_network (user_id);
  CREATE INDEX familiar_network_age ON identity.familiar_network (last_seen_at)`;

/** A membership that was offered and counts for nothing until the invited person accepts it. */
export const INVITATIONS = `
  CREATE TABLE identity.invitation (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES identity.organization (id) ON DELETE CASCADE,
    user_id uuid REFERENCES identity.user_account (id) ON DELETE CASCADE,
    email text,
    email_key text,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    status text NOT NULL DEFAULT 'pending'
      CHECK (status IN ('pending', 'accepted', 'declined', 'withdrawn', 'expired')),
    invited_by uuid REFERENCES identity.user_account (id) ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    closed_at timestamptz,
    CHECK (user_id IS NOT NULL OR email_key IS NOT NULL),
    CHECK ((email IS NULL) = (email_key IS NULL)),
    CHECK ((status = 'pending') = (closed_at IS NULL))
  );
  CREATE UNIQUE INDEX invitation_pending_user ON identity.invitation (organization_id, user_id)
    WHERE status = 'pending' AND user_id IS NOT NULL;
  CREATE UNIQUE INDEX invitation_pending_email ON identity.invitation (organization_id, email_key)
    WHERE status = 'pending' AND user_id IS NULL;
  CREATE INDEX invitation_organization ON identity.invitation (organization_id, id);
  CREATE INDEX invitation_user ON identity.invitation (user_id, id);
  CREATE INDEX invitation_end ON identity.invitation (least(closed_at, expires_at));
  COMMENT ON COLUMN identity.invitation.user_id IS 'null: for the account that verifies the email address'`;

/**
 * Who changed what. `subject_id`: whose sign-ins, passwords and tokens an event is about, so that the person and the administrators
 * of their organizations find it. The database refuses to change rows. Rows with addresses may be removed, by age alone and in a
 * transaction that says so.
 */
export const AUDIT = `
  CREATE TABLE identity.audit_event (
    id uuid PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    action text NOT NULL,
    result text NOT NULL CHECK (result IN ('success', 'failure')),
    organization_id uuid,
    actor_type text NOT NULL,
    actor_id uuid,
    target_type text,
    target_id uuid,
    request_id text,
    address text,
    details jsonb NOT NULL DEFAULT '{}',
    subject_id uuid
  );
  CREATE INDEX audit_event_organization ON identity.audit_event (organization_id, id DESC);
  CREATE INDEX audit_event_subject ON identity.audit_event (subject_id, id DESC) WHERE subject_id IS NOT NULL;
  CREATE INDEX audit_event_address ON identity.audit_event (at) WHERE address IS NOT NULL;
  COMMENT ON COLUMN identity.audit_event.subject_id IS 'the account whose sign-in, password or token it is about';

  CREATE FUNCTION identity.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND current_setting('identity.audit_retention', true) = 'on' THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'Audit events are append-only.' USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE ON identity.audit_event
    FOR EACH ROW EXECUTE FUNCTION identity.refuse_change();
  CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON identity.audit_event
    FOR EACH STATEMENT EXECUTE FUNCTION identity.refuse_change()`;
