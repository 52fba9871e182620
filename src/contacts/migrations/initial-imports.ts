/**
 * Imports with numbers that have to add up, and for some days the rows that were not imported. `raw`: whether apostrophes before
 * formula signs were cells' own: failed rows are returned as they have to be sent again. The last two indexes have the conditions of
 * IMPORTS_WITH_FAILED_ROWS and ERASE_REPORTED_VALUES: an erasure reads the imports that still have cells of people.
 */
export const IMPORTS = `
  CREATE TABLE contacts.contact_import (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    file_sha256 text NOT NULL,
    rows_read int NOT NULL,
    created int NOT NULL,
    updated int NOT NULL,
    unchanged int NOT NULL,
    skipped_duplicate int NOT NULL,
    skipped_empty int NOT NULL,
    failed int NOT NULL,
    header text[] NOT NULL,
    delimiter text NOT NULL,
    report jsonb NOT NULL,
    failed_rows_erased_at timestamptz,
    raw boolean NOT NULL DEFAULT false,
    CONSTRAINT contact_import_adds_up CHECK (
      rows_read = created + updated + unchanged + skipped_duplicate + skipped_empty + failed)
  );
  CREATE INDEX contact_import_of_file ON contacts.contact_import (organization_id, file_sha256, created_at);
  CREATE INDEX contact_import_to_erase ON contacts.contact_import (created_at) WHERE failed_rows_erased_at IS NULL;
  CREATE INDEX contact_import_with_failed_rows ON contacts.contact_import (organization_id)
    WHERE failed > 0 AND failed_rows_erased_at IS NULL;
  CREATE INDEX contact_import_with_values ON contacts.contact_import (organization_id, id)
    WHERE report #> '{file,name}' <> 'null' OR report @? '$.errors[*].value ? (@ != null)';

  CREATE TABLE contacts.import_failed_row (
    import_id uuid NOT NULL REFERENCES contacts.contact_import ON DELETE CASCADE,
    row int NOT NULL,
    problems text NOT NULL,
    raw text NOT NULL,
    PRIMARY KEY (import_id, row)
  );

  CREATE TABLE contacts.import_lease (
    organization_id uuid PRIMARY KEY,
    import_id uuid NOT NULL,
    lease_until timestamptz NOT NULL
  )`;

const PERSON = `name text, email text, email_key text, company text, job_title text, phones text[], tags text[],
  custom_fields jsonb, external_id text`;
const DETAILS = `additional_emails text[], additional_email_keys text[], addresses jsonb, birthday text, department text,
  websites text[]`;

const STAGED = {
  import_row: `row int NOT NULL, id uuid, ${PERSON}, match_key text, new_id uuid, failed boolean, problems text, raw text, line int,
    ${DETAILS}, note text`,
  import_plan: 'row int NOT NULL, first_row int, n int, of int, target uuid, outcome text, code text',
  import_contact: `first_row int NOT NULL, target uuid, version int, was_deleted boolean, is_changed boolean, fault text, id uuid,
    ${PERSON}, ${DETAILS}`,
};

/** Planner statistics are samples that stay after the rows are deleted, so none are taken of personal data. */
const PERSONAL = `${PERSON}, ${DETAILS}, match_key text, problems text, raw text, note text`;
const namesOf = (columns: string) => columns.split(',').map((column) => column.trim().split(' ', 1)[0]);

/**
 * Staging of imports: unlogged tables that all imports share, each row keyed by its organization and import. Unlike
 * temporary tables they need no session of their own, so they work behind a pooler in transaction mode. PostgreSQL empties
 * them after a crash; the merge counts the rows for that reason.
 *
 * An import decides its organization. Without the extended statistics the planner multiplies the selectivity of both, expects few
 * rows of an import that runs together with others, and compares each row with each other one.
 */
export const STAGING = Object.entries(STAGED).flatMap(([name, columns]) => [
  `CREATE UNLOGGED TABLE contacts.${name} (
     organization_id uuid NOT NULL, import_id uuid NOT NULL, ${columns}
   ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_insert_threshold = -1)`,
  `CREATE INDEX ${name}_of_import ON contacts.${name} (organization_id, import_id)`,
  `CREATE STATISTICS contacts.${name}_of_organization (dependencies) ON organization_id, import_id FROM contacts.${name}`,
  ...namesOf(columns)
    .filter((column) => namesOf(PERSONAL).includes(column))
    .map((column) => `ALTER TABLE contacts.${name} ALTER COLUMN ${column} SET STATISTICS 0`),
]);

/** What follows a comma and is no given name: suffixes, degrees, legal forms of companies; as `name_key` spells them. */
const SUFFIXES = [
  'jr|sr|junior|senior|ii|iii|iv|v|esq|ph ?d|m ?d|dr|prof|mba|cpa|m ?a|b ?a|m ?sc|b ?sc|dipl|ing|mag|rn|dds|j ?d|ll ?m|csc|drsc',
  'inc|incorporated|ltd|limited|llc|llp|lp|plc|co|corp|corporation|company|pty|pte|gmbh|mbh|ag|kg|kgaa|ohg|gbr|ug|e ?v|e ?k|se',
  's ?a|s ?a ?s|sarl|s ?r ?l|s ?l|s ?p ?a|s ?r ?o|a ?s|spol|z ?o ?o|sp|b ?v|n ?v|oy|oyj|ab|aps|kft|zrt|bt|nyrt|d ?o ?o|&|und|and',
].join('|');
/** Of longer names the order is not looked at: each word more is one more order to look for. */
const MAX_WORDS = 6;

/** How imports compare rows and contacts, and what they add to lists. `name_key` is with the functions of the search. */
export const IMPORT_FUNCTIONS = [
  // The last nine digits, which are the same with a country code, with 0 in its place, and without.
  `CREATE FUNCTION contacts.phone_key(phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT right(regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g'), 9) $$`,
  // As `name_key`, with the family name last where a single comma stands behind it: `Müller, Jürgen` and `Jürgen Müller` have one key.
  `CREATE FUNCTION contacts.person_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE
     key text := contacts.name_key(name);
     sides text[];
   BEGIN
     IF name IS NULL OR name !~ '[,，]' OR cardinality(string_to_array(key, ' ')) > ${MAX_WORDS} THEN RETURN key; END IF;
     sides := string_to_array(contacts.fold(name), ',');
     IF cardinality(sides) <> 2 THEN RETURN key; END IF;
     sides := ARRAY[contacts.name_key(sides[1]), contacts.name_key(sides[2])];
     IF '' = ANY(sides) OR sides[2] ~ '^((${SUFFIXES})( |$))+$' THEN RETURN key; END IF;
     RETURN sides[2] || ' ' || sides[1];
   END $$`,
  // What `name_key` may be of a name with this `person_key`.
  `CREATE FUNCTION contacts.name_orders(key text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE words text[] := string_to_array(key, ' ');
   BEGIN
     IF cardinality(words) NOT BETWEEN 2 AND ${MAX_WORDS} THEN RETURN ARRAY[key]; END IF;
     RETURN ARRAY(
       SELECT array_to_string(words[n + 1:] || words[:n], ' ') FROM generate_series(0, cardinality(words) - 1) AS n);
   END $$`,
  // The values whose keys stand first, in their order, without those of one key.
  `CREATE FUNCTION contacts.first_of_each(given text[], keys text[], without text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(value ORDER BY number), '{}')
    FROM (
      SELECT DISTINCT ON (key) value, number FROM unnest(given, keys) WITH ORDINALITY AS one (value, key, number)
      WHERE key IS NOT NULL AND key IS DISTINCT FROM without ORDER BY key, number) AS firsts $$`,
  // Two spellings of one phone number, tag or website have one key.
  `CREATE FUNCTION contacts.value_key(value text, list text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT CASE list WHEN 'phones' THEN coalesce(nullif(contacts.phone_key(value), ''), value) ELSE lower(value) END $$`,
  `CREATE FUNCTION contacts.with_values(stored text[], given text[], list text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   BEGIN
     RETURN stored || ARRAY(
       SELECT value FROM unnest(given) WITH ORDINALITY AS each (value, number)
       WHERE contacts.value_key(value, list) NOT IN (
         SELECT contacts.value_key(former, list) FROM unnest(stored) AS former)
       ORDER BY number);
   END $$`,
  // An address of which each part is in a former one adds nothing.
  `CREATE FUNCTION contacts.with_addresses(stored jsonb, given jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   BEGIN
     RETURN stored || coalesce((
       SELECT jsonb_agg(address ORDER BY number) FROM jsonb_array_elements(given) WITH ORDINALITY AS each (address, number)
       WHERE NOT EXISTS (
         SELECT FROM jsonb_array_elements(stored) AS former WHERE former @> (jsonb_strip_nulls(address)))), '[]');
   END $$`,
  `CREATE FUNCTION contacts.gathered_values(lists text[], list text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE
     gathered text[];
     one text;
   BEGIN
     FOREACH one IN ARRAY coalesce(lists, '{}') LOOP
       gathered := CASE WHEN gathered IS NULL THEN one::text[] ELSE contacts.with_values(gathered, one::text[], list) END;
     END LOOP;
     RETURN gathered;
   END $$`,
  `CREATE FUNCTION contacts.gathered_addresses(lists jsonb[]) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE
     gathered jsonb;
     one jsonb;
   BEGIN
     FOREACH one IN ARRAY coalesce(lists, '{}') LOOP
       gathered := CASE WHEN gathered IS NULL THEN one ELSE contacts.with_addresses(gathered, one) END;
     END LOOP;
     RETURN gathered;
   END $$`,
];
