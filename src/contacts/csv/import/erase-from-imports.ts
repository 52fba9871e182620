import { inGroup, type Transaction } from '#libs/database';
import { eraseStoredResponses } from '#libs/http';
import type { ContactRow } from '../../views/contact.view.js';
import { emailKey } from '#libs/email-address';
import { ImportReportHasChanged } from '../domain/csv.errors.js';
import { ERASE_LEFTOVERS } from './staging.statements.js';

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

/** Subject of all responses of the import route. A dry run or a refusal stores no other record, so only this finds them. */
export const IMPORT_SUBJECT = 'contact-import';

/**
 * Removes a contact from the records of imports of its organization. Deletes failed rows that hold its id, an address, a
 * phone number or its name, even when another contact has the same; a row with none of them, such as one with a former
 * address, expires with all others after a few days. The report does not say to which contact a cell or a file name
 * belongs, so all of them are removed, and stored answers that may show some are deleted. Staged rows of interrupted
 * imports are deleted as a whole.
 */
export async function eraseFromImports(transaction: Transaction, contact: ContactRow): Promise<void> {
  const { id, organization_id, name, email, phones, external_id } = contact;
  const addresses = [email, ...contact.additional_emails].flatMap((one) => (one ? [one, emailKey(one)] : []));
  const traces = [id, ...phones, ...addresses, external_id].flatMap((trace) => trace ?? []);
  const pattern = `(^|[^[:alnum:]._%+-])(${traces.map(literal).join('|')})($|[^[:alnum:].-])`;
  const words = folded(name ?? '').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const named = words.map((word) => `(^|[^[:alnum:]])${word}($|[^[:alnum:]])`);
  await transaction.query(ERASE_LEFTOVERS, [organization_id]);
  const imports = await transaction.query<{ id: string }>(IMPORTS_WITH_FAILED_ROWS, [organization_id]);
  const ids = imports.map((one) => one.id);
  await transaction.query(ERASE_FAILED_ROWS, [ids, pattern, named]);
  while ((await eraseReportedValues(transaction, organization_id)) === REPORTS_AT_ONCE);
  const others = { id: organization_id, subject: IMPORT_SUBJECT };
  await eraseStoredResponses(transaction, others, new ImportReportHasChanged(null));
}

async function eraseReportedValues(transaction: Transaction, organizationId: string): Promise<number> {
  const values = [organizationId];
  const reports = await transaction.query<{ id: string; isRecent: boolean }>(ERASE_REPORTED_VALUES, values);
  // A response is stored for a day. One whose report had no values any more was erased with them.
  for (const { id, isRecent } of reports)
    if (isRecent) await eraseStoredResponses(transaction, { id }, new ImportReportHasChanged(id));
  return reports.length;
}

const folded = (text: string) => text.trim().normalize('NFKC').toLowerCase();

const literal = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, '\\$&');
