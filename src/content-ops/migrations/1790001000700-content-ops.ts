import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit: append-only rows in hash chains, the heads of the chains, and the query that finds changed rows. Counts by day. */
export class ContentOps1790001000700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA content_ops');
    for (const sql of SQL) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA content_ops CASCADE');
  }
}

const AUDIT_EVENT = `
  CREATE TABLE content_ops.audit_event (
    entry bigint PRIMARY KEY,
    chain text NOT NULL,
    event_id uuid NOT NULL UNIQUE,
    kind text NOT NULL,
    at timestamptz(3) NOT NULL,
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    version int NOT NULL,
    content_id uuid,
    organization_id uuid,
    brand_id uuid,
    actor_type text NOT NULL,
    actor_id text NOT NULL,
    actor_name text,
    channel text NOT NULL,
    request_id text,
    correlation_id text NOT NULL,
    details jsonb NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL
  );
  CREATE INDEX audit_event_by_chain ON content_ops.audit_event (chain, entry);
  CREATE INDEX audit_event_by_time ON content_ops.audit_event (chain, at);
  CREATE INDEX audit_event_by_kind ON content_ops.audit_event (chain, kind, entry);
  CREATE INDEX audit_event_by_actor ON content_ops.audit_event (chain, actor_id, entry);
  CREATE INDEX audit_event_by_content ON content_ops.audit_event (content_id, entry) WHERE content_id IS NOT NULL;
  COMMENT ON COLUMN content_ops.audit_event.entry IS 'Order of recording, dense from 1. Not hashed.';
  COMMENT ON COLUMN content_ops.audit_event.hash IS
    'sha256(previous_hash || canonical JSON of the other columns but entry and chain). The first previous_hash of a chain is sha256(chain).'`;

const AUDIT_CHAIN = `
  CREATE TABLE content_ops.audit_chain (
    chain text PRIMARY KEY,
    entries bigint NOT NULL,
    hash bytea NOT NULL
  );
  COMMENT ON TABLE content_ops.audit_chain IS 'How long each chain is and how it ends: without it nobody would miss the last row.'`;

const APPEND_ONLY = `
  CREATE FUNCTION content_ops.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE TRIGGER audit_event_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON content_ops.audit_event
    FOR EACH STATEMENT EXECUTE FUNCTION content_ops.refuse_change();
  CREATE TRIGGER audit_chain_only_grows BEFORE DELETE OR TRUNCATE ON content_ops.audit_chain
    FOR EACH STATEMENT EXECUTE FUNCTION content_ops.refuse_change()`;

/** The same bytes as canonicalJson: RFC 8785 for names in the basic plane and numbers without exponent. */
const CANONICAL_JSON = `
  CREATE FUNCTION content_ops.canonical_json(value jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    CASE jsonb_typeof(value)
      WHEN 'object' THEN
        RETURN (SELECT '{' || coalesce(string_agg(to_json(name)::text || ':' || content_ops.canonical_json(member), ',' ORDER BY name COLLATE "C"), '') || '}'
                FROM jsonb_each(value) AS members (name, member));
      WHEN 'array' THEN
        RETURN (SELECT '[' || coalesce(string_agg(content_ops.canonical_json(item), ',' ORDER BY place), '') || ']'
                FROM jsonb_array_elements(value) WITH ORDINALITY AS items (item, place));
      ELSE
        RETURN value::text;
    END CASE;
  END $$`;

const AUDIT_HASH = `
  CREATE FUNCTION content_ops.audit_hash(recorded content_ops.audit_event) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT sha256(recorded.previous_hash || convert_to(content_ops.canonical_json(jsonb_build_object(
      'eventId', recorded.event_id, 'kind', recorded.kind,
      'at', to_char(recorded.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'subjectType', recorded.subject_type, 'subjectId', recorded.subject_id, 'version', recorded.version,
      'contentId', recorded.content_id, 'organizationId', recorded.organization_id, 'brandId', recorded.brand_id,
      'actorType', recorded.actor_type, 'actorId', recorded.actor_id, 'actorName', recorded.actor_name,
      'channel', recorded.channel, 'requestId', recorded.request_id, 'correlationId', recorded.correlation_id,
      'details', recorded.details)), 'UTF8'))
  $$`;

const AUDIT_FAULTS = `
  CREATE FUNCTION content_ops.audit_faults(only_chain text DEFAULT NULL)
  RETURNS TABLE (chain text, entry bigint, event_id uuid, fault text) LANGUAGE sql STABLE AS $$
    WITH link AS (
      SELECT e.chain, e.entry, e.event_id, e.previous_hash, e.hash, content_ops.audit_hash(e) AS recomputed,
             row_number() OVER chained AS place,
             lag(e.hash, 1, sha256(convert_to(e.chain, 'UTF8'))) OVER chained AS hash_before
      FROM content_ops.audit_event e
      WHERE only_chain IS NULL OR e.chain = only_chain
      WINDOW chained AS (PARTITION BY e.chain ORDER BY e.entry)
    ), tail AS (
      SELECT DISTINCT ON (chain) chain, entry, event_id, hash, place AS entries FROM link ORDER BY chain, place DESC
    ), head AS (
      SELECT * FROM content_ops.audit_chain h WHERE only_chain IS NULL OR h.chain = only_chain
    )
    SELECT chain, entry, event_id, 'altered' FROM link WHERE recomputed <> hash
    UNION ALL
    SELECT chain, entry, event_id, 'not_linked' FROM link WHERE previous_hash <> hash_before
    UNION ALL
    SELECT chain, tail.entry, tail.event_id,
           CASE WHEN coalesce(tail.entries, 0) < head.entries THEN 'rows_missing'
                WHEN tail.entries = head.entries THEN 'end_differs'
                ELSE 'rows_added' END
    FROM head FULL JOIN tail USING (chain)
    WHERE head.entries IS DISTINCT FROM tail.entries OR head.hash IS DISTINCT FROM tail.hash
  $$;
  COMMENT ON FUNCTION content_ops.audit_faults IS
    'Every row that was altered, every place where a row is missing or was slipped in. No row: the chains are whole.'`;

/** Counts per brand and UTC quarter-hour, the largest unit that divides the days of every zone. */
const DAILY_ROLLUP = `
  CREATE TABLE content_ops.daily_rollup (
    brand_id uuid NOT NULL,
    quarter_hour timestamptz NOT NULL CHECK (extract(epoch FROM quarter_hour) % 900 = 0),
    created int NOT NULL,
    suggested int NOT NULL,
    approved int NOT NULL,
    rejected int NOT NULL,
    scheduled int NOT NULL,
    published int NOT NULL,
    failed int NOT NULL,
    PRIMARY KEY (brand_id, quarter_hour)
  )`;

const SQL = [AUDIT_EVENT, AUDIT_CHAIN, APPEND_ONLY, CANONICAL_JSON, AUDIT_HASH, AUDIT_FAULTS, DAILY_ROLLUP];
