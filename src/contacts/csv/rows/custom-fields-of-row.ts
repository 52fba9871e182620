import { cleanJson } from '#libs/http';
import { exactJson } from '#libs/outbound-http';
import type { CustomValue } from '../../domain/field-declaration.js';
import { CONTACT_FIELDS } from '../../domain/contact-fields.js';
import { faultOfCustomFields } from '../../http/dto/field-rules.js';
import { customKey } from '../columns/import-fields.js';
import { type Cell, RowCells } from './row-cells.js';

/** The custom fields of a row: of the cell that holds all of them, and of a column each. */
export class CustomFieldsReader extends RowCells {
  all(): Record<string, CustomValue> | null {
    const fields = new Map<string, CustomValue>(this.ofCell());
    for (const cell of this.cells) {
      const custom = customKey(cell.field);
      if (!custom) continue;
      if (fields.has(custom.key))
        this.fault('value_ignored', `is ignored: another column has ${custom.key} already`, cell);
      else fields.set(custom.key, custom.isJson ? this.scalar(cell) : cell.value);
      const value = fields.get(custom.key);
      if (typeof value === 'string') this.within(CONTACT_FIELDS.customFields.max, cell, value);
    }
    return fields.size > 0 ? Object.fromEntries(fields) : null;
  }

  private ofCell(): [string, CustomValue][] {
    const cell = this.only('customFields');
    if (!cell) return [];
    try {
      const value = cleanJson(exactJson(cell.value));
      const fault = faultOfCustomFields(value);
      if (fault === undefined) return Object.entries(value as Record<string, CustomValue>);
      this.fault('invalid_value', fault, cell);
    } catch {
      this.fault('invalid_value', 'is not a JSON object that can be stored', cell);
    }
    return [];
  }

  /** An integer that a number cannot represent stays text. */
  private scalar(cell: Cell): CustomValue {
    try {
      const value = cleanJson(exactJson(cell.value));
      // For numbers beyond a double JSON.parse returns Infinity, which JSON cannot represent.
      const isScalar = typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'object';
      if (isScalar || value === null) return value as CustomValue;
    } catch {
      // Reported below, with all other values that are not scalar.
    }
    this.fault('invalid_value', 'is not a JSON number, boolean, null or string', cell);
    return null;
  }
}
