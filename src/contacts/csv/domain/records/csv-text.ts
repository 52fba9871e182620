import * as text from '#libs/text';
import { GUARD } from '../cells/formula-guard.js';

export interface CsvStyle {
  readonly delimiter: string;
  /** Writes cells without the guard against formulas. */
  readonly raw: boolean;
}

export const csvText = (rows: readonly (readonly string[])[], { delimiter, raw }: CsvStyle): string =>
  text.csvText(rows, { delimiter, guard: raw ? null : GUARD });
