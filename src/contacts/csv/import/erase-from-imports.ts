import type { Transaction } from '#libs/database';
import { eraseStoredResponses } from '#libs/http';
import type { ContactRow } from '../../views/contact.view.js';
import { emailKey } from '#libs/email-address';
import { ImportReportHasChanged } from '../domain/csv.errors.js';
import {
  ERASE_FAILED_ROWS,
  ERASE_REPORTED_VALUES,
  IMPORTS_WITH_FAILED_ROWS,
  REPORTS_AT_ONCE,
} from './erase.statements.js';
import { ERASE_LEFTOVERS } from './staging.statements.js';

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

/** @returns the number of reports that had values */
async function eraseReportedValues(transaction: Transaction, organizationId: string): Promise<number> {
  const values = [organizationId];
  const reports = await transaction.query<{ id: string; isRecent: boolean }>(ERASE_REPORTED_VALUES, values);
  // A response is stored for a day. One whose report had no values any more was erased with them.
  for (const { id, isRecent } of reports)
    if (isRecent) await eraseStoredResponses(transaction, { id }, new ImportReportHasChanged(id));
  return reports.length;
}

const folded = (text: string) => text.trim().normalize('NFKC').toLowerCase();

/** Escapes a text for a regular expression of PostgreSQL. */
const literal = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, '\\$&');
