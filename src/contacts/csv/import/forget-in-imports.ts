import type { Transaction } from '#libs/database';
import { forgetAnswers } from '#libs/http';
import type { ContactRow } from '../../contact.view.js';
import { emailKey } from '../../email.js';
import { ImportReportHasChanged } from '../csv.errors.js';

/** $1 organization, $2 what a text that names the contact looks like. */
const FORGET_ROWS = `
  DELETE FROM contacts.import_failed_row AS failed USING contacts.contact_import AS import
  WHERE failed.import_id = import.id AND import.organization_id = $1 AND failed.raw ~* $2
  RETURNING import.id`;
const FORGET_VALUES = `
  UPDATE contacts.contact_import SET report = jsonb_set(report, '{errors}', (
      SELECT jsonb_agg(CASE WHEN error->>'value' ~* $2 THEN error || '{"value": null}' ELSE error END ORDER BY nth)
      FROM jsonb_array_elements(report->'errors') WITH ORDINALITY AS listed (error, nth)))
  WHERE organization_id = $1 AND EXISTS (
    SELECT FROM jsonb_array_elements(report->'errors') AS error WHERE error->>'value' ~* $2)
  RETURNING id`;

/** Of a report, also within a refusal: a dry run, or all or nothing. Only its answer knows of it. */
const BROUGHT_NOTHING_IN = ['"importId":null', '"rowsRead":'];

/**
 * Takes a contact out of what imports have kept: failed rows and shown cells that hold its id or its address, and the
 * answers kept for repetition. A failed row that holds neither goes with all the others after some days.
 */
export async function forgetInImports(transaction: Transaction, contact: ContactRow): Promise<void> {
  const { id, organization_id, email } = contact;
  const traces = email === null ? [id] : [id, email.trim(), emailKey(email)];
  const pattern = `(^|[^[:alnum:]._%+-])(${traces.map(literal).join('|')})($|[^[:alnum:].-])`;
  const values = [organization_id, pattern];
  const rows = await transaction.query<{ id: string }>(FORGET_ROWS, values);
  const reports = await transaction.query<{ id: string }>(FORGET_VALUES, values);
  for (const importId of new Set([...rows, ...reports].map(({ id }) => id)))
    await forgetAnswers(transaction, { texts: [importId] }, new ImportReportHasChanged(importId));
  const texts = [...BROUGHT_NOTHING_IN, organization_id];
  await forgetAnswers(transaction, { texts, pattern }, new ImportReportHasChanged(null));
}

/** As it stands, in a regular expression of PostgreSQL. */
const literal = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '\\$&');
