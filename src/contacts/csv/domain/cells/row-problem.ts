export type RowCode =
  | 'incorrect_number_of_columns'
  | 'could_not_parse_row'
  | 'row_too_large'
  | 'missing_required'
  | 'invalid_email'
  | 'invalid_value'
  | 'value_too_long'
  | 'limit_exceeded'
  | 'value_ignored'
  | 'duplicate_in_file'
  | 'duplicate_existing'
  | 'matches_deleted'
  | 'ambiguous_match';

export interface RowProblem {
  readonly code: RowCode;
  /** True: the row was not imported because of it. False: a hint. */
  readonly isError: boolean;
  /** Null: the whole row. */
  readonly column: string | null;
  readonly field: string | null;
  readonly message: string;
  /** The cell, cut after 100 characters; zero characters, which cannot be stored, become U+FFFD. */
  readonly value: string | null;
}

const MAX_SHOWN = 100;

export function problem(
  code: RowCode,
  message: string,
  cell?: { readonly column: string; readonly field: string; readonly value: string },
): RowProblem {
  const { column = null, field = null } = cell ?? {};
  const value = cell
    ? [...cell.value.slice(0, 2 * MAX_SHOWN)].slice(0, MAX_SHOWN).join('').replaceAll('\0', '\ufffd')
    : null;
  return { code, isError: code !== 'value_ignored', column, field, message, value };
}
