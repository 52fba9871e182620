import { isRoleAddress } from '../domain/cells/role-address.js';
import type { ImportRules } from '../dto/import-contacts.dto.js';
import type { ImportWarningDto } from '../dto/import-report-parts.dto.js';
import type { CsvFile } from '../reading/csv-file.js';
import type { ImportSession } from './import-session.js';
import { ADDRESSES_WITH_NAMES, CHANGED_LISTS, SHARED_ADDRESSES } from './outcome.statements.js';

const MAX_LINES = 20;
const MAX_LINES_AFTER_TABLE = 10;
const MAX_ADDRESSES = 1_000;

const warning = (
  code: ImportWarningDto['code'],
  message: string,
  lines: number[],
  secondBest: string | null = null,
): ImportWarningDto => ({ code, message, secondBest, lines });

/** What is uncertain about the encoding and delimiter of a file, with the second-best guess; and the text below the table. */
export function readingWarnings({ encoding, table, linesAfterTable }: CsvFile): ImportWarningDto[] {
  const warnings: ImportWarningDto[] = [];
  const { secondBest } = encoding;
  if (encoding.isUncertain) {
    const other = secondBest === null ? '' : ` The next best guess is ${secondBest}.`;
    const message = `The file was read as ${encoding.label}, which is uncertain.${other} Check the sampleRows of a dry run, and send options.encoding when they are wrong.`;
    warnings.push(warning('encoding_uncertain', message, [], secondBest));
  }
  const { delimiter, secondBestDelimiter } = table;
  if (secondBestDelimiter !== null) {
    const message = `Cells were split at ${JSON.stringify(delimiter)}; ${JSON.stringify(secondBestDelimiter)} is also possible. Check the sampleRows of a dry run, and send options.delimiter when they are wrong.`;
    warnings.push(warning('delimiter_uncertain', message, [], secondBestDelimiter));
  }
  if (linesAfterTable.length > 0) {
    const lines = linesAfterTable.length === 1 ? '1 line' : `${linesAfterTable.length} lines`;
    const message = `${lines} below the table are no rows and were left out. If one is a contact, write it with the delimiters of the other rows, without an empty line before it.`;
    warnings.push(warning('text_after_table', message, linesAfterTable.slice(0, MAX_LINES_AFTER_TABLE)));
  }
  return warnings;
}

/** What a caller may not expect of the plan. */
export async function planWarnings(
  session: ImportSession,
  rules: ImportRules,
  hasAdditional: boolean,
): Promise<ImportWarningDto[]> {
  // With another key, addresses are not used for matching.
  const byAddress = rules.key === 'email';
  return [
    ...(await changedLists(session, rules)),
    ...(byAddress ? await severalNames(session) : []),
    ...(byAddress && hasAdditional ? await sharedAddresses(session) : []),
  ];
}

/** An import that fills empty fields or creates contacts changes no list. */
async function changedLists(
  session: ImportSession,
  { duplicates, lists: how }: ImportRules,
): Promise<ImportWarningDto[]> {
  if (duplicates !== 'update') return [];
  const { count, lines } = await countWithLines(session, CHANGED_LISTS[how]);
  if (count === 0) return [];
  const contacts = count === 1 ? '1 contact' : `${count} contacts`;
  const what = 'phones, tags, websites or postal addresses';
  return how === 'add'
    ? [
        warning(
          'values_added',
          `${contacts} got further ${what} and kept the former ones. To replace them, set options.lists to replace.`,
          lines,
        ),
      ]
    : [
        warning(
          'values_replaced',
          `${contacts} lost ${what} that the rows do not have. To keep them, set options.lists to add.`,
          lines,
        ),
      ];
}

async function severalNames(session: ImportSession): Promise<ImportWarningDto[]> {
  const { count, lines } = await countWithLines(session, ADDRESSES_WITH_NAMES);
  if (count === 0) return [];
  const addresses = count === 1 ? '1 address has' : `${count} addresses have`;
  const message = `${addresses} several names in this file. The rows of one address are about one contact. To keep them apart, set options.key to id or externalId, or options.duplicates to create.`;
  return [warning('address_with_several_names', message, lines)];
}

/** Several contacts can share a role address. */
async function sharedAddresses(session: ImportSession): Promise<ImportWarningDto[]> {
  const values = [...session.key, MAX_ADDRESSES];
  const found = await session.query<{ address: string; line: number }>(SHARED_ADDRESSES, values);
  const personal = found.filter(({ address }) => !isRoleAddress(address));
  const count = personal.length;
  if (count === 0) return [];
  const lines = [...new Set(personal.map(({ line }) => line))].slice(0, MAX_LINES);
  const orMore = found.length < MAX_ADDRESSES ? '' : ' or more';
  const addresses = count === 1 ? '1 address belongs' : `${count}${orMore} addresses belong`;
  const message = `${addresses} to two contacts or more: an additional address of one is an address of another. They are not merged. If they are the same person, delete one of them.`;
  return [warning('address_of_two_contacts', message, lines)];
}

async function countWithLines(session: ImportSession, sql: string) {
  const [found] = await session.query<{ count: number; lines: number[] | null }>(sql, [
    ...session.key,
    MAX_LINES,
  ]);
  return { count: found?.count ?? 0, lines: found?.lines ?? [] };
}
