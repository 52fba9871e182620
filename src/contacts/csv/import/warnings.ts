import type { CsvFile } from '../reading/csv-file.js';
import type { ImportWarning, SampleRow } from './import-report.js';

/** What is uncertain about the encoding and delimiter of a file, with the second-best guess; and the text below the table. */
export function readingWarnings({ encoding, table, linesAfterTable }: CsvFile): ImportWarning[] {
  const warnings: ImportWarning[] = [];
  const { secondBest } = encoding;
  if (encoding.isUncertain) {
    const other = secondBest === null ? '' : ` The next best guess is ${secondBest}.`;
    const message = `The file was read as ${encoding.label}, which is uncertain.${other} Check the sampleRows of a dry run, and send options.encoding when they are wrong.`;
    warnings.push({ code: 'encoding_uncertain', message, secondBest, lines: [] });
  }
  if (table.secondBestDelimiter !== null) {
    const message = `Cells were split at ${JSON.stringify(table.delimiter)}; ${JSON.stringify(table.secondBestDelimiter)} is also possible. Check the sampleRows of a dry run, and send options.delimiter when they are wrong.`;
    const secondBestDelimiter = table.secondBestDelimiter;
    warnings.push({ code: 'delimiter_uncertain', message, secondBest: secondBestDelimiter, lines: [] });
  }
  if (linesAfterTable.length > 0) {
    const lines = linesAfterTable.length === 1 ? '1 line' : `${linesAfterTable.length} lines`;
    const message = `${lines} below the table are no rows and were left out. If one is a contact, write it with the delimiters of the other rows, without an empty line before it.`;
    warnings.push({
      code: 'text_after_table',
      message,
      secondBest: null,
      lines: linesAfterTable.slice(0, SHOWN_LINES),
    });
  }
  return warnings;
}

const SHOWN_LINES = 10;

/** @param count addresses. @param lines of the first rows with these addresses */
export function severalNames(count: number, lines: readonly number[]): ImportWarning[] {
  if (count === 0) return [];
  const addresses = count === 1 ? '1 address has' : `${count} addresses have`;
  const message = `${addresses} several names in this file. The rows of one address are about one contact. To keep them apart, set options.key to id or externalId, or options.duplicates to create.`;
  return [{ code: 'address_with_several_names', message, secondBest: null, lines }];
}

/** @param count contacts. @param lines of the first of their rows */
export function changedLists(
  lists: 'add' | 'replace',
  count: number,
  lines: readonly number[],
): ImportWarning[] {
  if (count === 0) return [];
  const contacts = count === 1 ? '1 contact' : `${count} contacts`;
  const what = 'phones, tags, websites or postal addresses';
  return lists === 'add'
    ? [
        {
          code: 'values_added',
          message: `${contacts} got further ${what} and kept the former ones. To replace them, set options.lists to replace.`,
          secondBest: null,
          lines,
        },
      ]
    : [
        {
          code: 'values_replaced',
          message: `${contacts} lost ${what} that the rows do not have. To keep them, set options.lists to add.`,
          secondBest: null,
          lines,
        },
      ];
}

/** @param lines of the rows with these addresses. @param isAll true when there are no more of them */
export function sharedAddresses(count: number, lines: readonly number[], isAll: boolean): ImportWarning[] {
  if (count === 0) return [];
  const addresses = count === 1 ? '1 address belongs' : `${count}${isAll ? '' : ' or more'} addresses belong`;
  const message = `${addresses} to two contacts or more: an additional address of one is an address of another. They are not merged. If they are the same person, delete one of them.`;
  return [{ code: 'address_of_two_contacts', message, secondBest: null, lines }];
}

const SHOWN_CHARACTERS = 100;

export function sampleRows({ table, columns }: CsvFile): SampleRow[] {
  return table.shown.map(({ line, cells }) => ({
    line,
    cells: columns.map((column, index) => ({ column, value: shown(cells[index] ?? '') })),
  }));
}

const shown = (cell: string) => [...cell.slice(0, 2 * SHOWN_CHARACTERS)].slice(0, SHOWN_CHARACTERS).join('');
