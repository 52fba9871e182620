export type { CsvStyle } from './csv-text.js';
export { BYTE_ORDER_MARK, csvText } from './csv-text.js';
export { formulaGuard } from './formula-guard.js';
export { mayBeOtherThanUtf8 } from './utf8-evidence.js';
