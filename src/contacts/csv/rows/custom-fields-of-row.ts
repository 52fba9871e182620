import { cleanJson } from '#libs/http';
import { exactJson } from '#libs/outbound-http';
import { CONTACT_FIELDS } from '../../domain/contact-fields.js';
import type { CustomValue } from '../../domain/field-declaration.js';
import { faultOfCustomFields } from '../../http/dto/field-rules.js';
import { customKey } from '../columns/import-fields.js';
import type { Cell, RowCells } from './row-cells.js';

/** The custom fields of a row: of the cell that holds all of them, and of a column each. */
export function customFieldsOf(row: RowCells): Record<string, CustomValue> | null {
  const fields = new Map<string, CustomValue>(fieldsOfObject(row));
  for (const cell of row.cells) {
    const custom = customKey(cell.field);
    if (!custom) continue;
    if (fields.has(custom.key))
      row.fault('value_ignored', `is ignored: another column has ${custom.key} already`, cell);
    else fields.set(custom.key, custom.isJson ? scalarOf(row, cell) : cell.value);
    const value = fields.get(custom.key);
    if (typeof value === 'string') row.within(CONTACT_FIELDS.customFields.max, cell, value);
  }
  return fields.size > 0 ? Object.fromEntries(fields) : null;
}

function fieldsOfObject(row: RowCells): [string, CustomValue][] {
  const cell = row.only('customFields');
  if (!cell) return [];
  const value = jsonOf(cell);
  const fault = value === undefined ? 'is not a JSON object that can be stored' : faultOfCustomFields(value);
  if (fault === undefined) return Object.entries(value as Record<string, CustomValue>);
  row.fault('invalid_value', fault, cell);
  return [];
}

/** An integer that a number cannot represent stays text. */
function scalarOf(row: RowCells, cell: Cell): CustomValue {
  const value = jsonOf(cell);
  // For numbers beyond a double JSON.parse returns Infinity, which JSON cannot represent.
  const isScalar =
    typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'object' && value !== undefined;
  if (isScalar || value === null) return value as CustomValue;
  row.fault('invalid_value', 'is not a JSON number, boolean, null or string', cell);
  return null;
}

function jsonOf({ value }: Cell): unknown {
  try {
    return cleanJson(exactJson(value));
  } catch {
    return undefined;
  }
}
