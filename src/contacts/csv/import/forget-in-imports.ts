import type { Transaction } from '#libs/database';
import { eraseStoredResponses } from '#libs/http';
import type { ContactRow } from '../../views/contact.view.js';
import { emailKey } from '../../domain/email.js';
import { ColumnsAreNotRecognized, ImportReportHasChanged } from '../domain/csv.errors.js';
import { FORGET_ROWS, FORGET_VALUES, WITH_FAILED_ROWS } from './forget.statements.js';
import { ERASE_LEFTOVERS } from './staging.statements.js';

/** Of all responses of the import route. A dry run or a refusal stores nothing else, so only this finds them. */
export const IMPORT_SUBJECT = 'contact-import';

/** How those of a former release are found, which have no subject. They expire a day after its last process ended. */
const FORMER_TEXTS = [
  // A report, also within a refusal: a dry run, or all or nothing.
  ['"importId":null', '"rowsRead":'],
  // The line that was taken for a header.
  [`"code":"${ColumnsAreNotRecognized.code}"`],
];

/**
 * Takes a contact out of what imports of its organization have kept. Failed rows go that hold its id, its address, one of
 * its numbers or its name, also where somebody else has the same; one that holds none of them, perhaps a former address,
 * goes with all the others after some days. No report tells whose the cells are that it shows, nor whose
 * name the name of a file is, so none shows any afterwards, and answers kept for repetition that may show some are forgotten. What interrupted imports have
 * staged goes as a whole.
 */
export async function forgetInImports(transaction: Transaction, contact: ContactRow): Promise<void> {
  const { id, organization_id, name, email, phones, external_id } = contact;
  const addresses = [email, ...contact.additional_emails].flatMap((one) => (one ? [one, emailKey(one)] : []));
  const traces = [id, ...phones, ...addresses, external_id].flatMap((trace) => trace ?? []);
  const pattern = `(^|[^[:alnum:]._%+-])(${traces.map(literal).join('|')})($|[^[:alnum:].-])`;
  const words = folded(name ?? '').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const named = words.map((word) => `(^|[^[:alnum:]])${word}($|[^[:alnum:]])`);
  await transaction.query(ERASE_LEFTOVERS, [organization_id]);
  const imports = await transaction.query<{ id: string }>(WITH_FAILED_ROWS, [organization_id]);
  const ids = imports.map((one) => one.id);
  const rows = await transaction.query<{ id: string }>(FORGET_ROWS, [ids, pattern, named]);
  const reports = await transaction.query<{ id: string }>(FORGET_VALUES, [organization_id]);
  for (const importId of new Set([...rows, ...reports].map(({ id }) => id)))
    await eraseStoredResponses(transaction, { id: importId }, new ImportReportHasChanged(importId));
  const others = { id: organization_id, subject: IMPORT_SUBJECT, formerTexts: FORMER_TEXTS };
  await eraseStoredResponses(transaction, others, new ImportReportHasChanged(null));
}

const folded = (text: string) => text.trim().normalize('NFKC').toLowerCase();

/** As it stands, in a regular expression of PostgreSQL. */
const literal = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, '\\$&');
