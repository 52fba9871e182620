import { inGroup } from '#libs/database';

/** $1 organization. The next statement gets the ids as values, so that the planner knows how few rows they have. */
export const IMPORTS_WITH_FAILED_ROWS = `
  SELECT id FROM contacts.contact_import
  WHERE organization_id = $1 AND failed > 0 AND failed_rows_erased_at IS NULL`;

/** Folded like the text it is compared with. */
const ROW = 'lower(normalize(raw, NFKC))';
/**
 * $1 imports, $2 a pattern of texts that name the contact, $3 the words of its name: a row with all of them matches, too.
 */
export const ERASE_FAILED_ROWS = `
  DELETE FROM contacts.import_failed_row
  WHERE import_id = ANY ($1::uuid[])
    AND (${ROW} ~ $2 OR ($3::text[] <> '{}' AND NOT EXISTS (
      SELECT FROM unnest($3::text[]) AS word WHERE ${ROW} !~ word)))
  RETURNING import_id AS id`;

/** Reports at a time. */
export const REPORTS_AT_ONCE = 1_000;

/**
 * $1 organization. The order and the limit are those of the index of reports with values: statistics do not show that most reports
 * of an organization have none any more.
 */
export const ERASE_REPORTED_VALUES = `
  UPDATE contacts.contact_import SET report = jsonb_set(jsonb_set(report, '{file,name}', 'null'), '{errors}', (
      SELECT coalesce(jsonb_agg(error || '{"value": null}' ORDER BY nth), '[]')
      FROM jsonb_array_elements(report->'errors') WITH ORDINALITY AS listed (error, nth)))
  WHERE id = ANY (ARRAY(
    SELECT id FROM contacts.contact_import WHERE ${inGroup('organization_id', '$1::uuid')}
      AND (report #> '{file,name}' <> 'null' OR report @? '$.errors[*].value ? (@ != null)')
    ORDER BY organization_id, id LIMIT ${REPORTS_AT_ONCE}))
  RETURNING id, created_at > now() - interval '2 days' AS "isRecent"`;
