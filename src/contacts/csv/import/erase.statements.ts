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

/** $1 organization. */
export const ERASE_REPORTED_VALUES = `
  UPDATE contacts.contact_import SET report = jsonb_set(jsonb_set(report, '{file,name}', 'null'), '{errors}', (
      SELECT coalesce(jsonb_agg(error || '{"value": null}' ORDER BY nth), '[]')
      FROM jsonb_array_elements(report->'errors') WITH ORDINALITY AS listed (error, nth)))
  WHERE organization_id = $1
    AND (report #> '{file,name}' <> 'null' OR report @? '$.errors[*].value ? (@ != null)')
  RETURNING id`;
