export { BYTE_ORDER_MARK, type CsvStyle, csvText } from './csv-text.js';
export { formulaGuard } from './formula-guard.js';
export { mayBeOtherThanUtf8 } from './utf8-evidence.js';
