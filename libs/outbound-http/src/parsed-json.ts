const BYTE_ORDER_MARK = '\ufeff';
const LONG_NUMBER = /\d{16}/;

/**
 * JSON whose integers keep all their digits: those that a number cannot represent, such as 64-bit ids of some networks, stay text.
 * @throws SyntaxError
 */
export const exactJson = (text: string): unknown =>
  LONG_NUMBER.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);

/** The same, also behind a byte order mark (RFC 8259, section 8.1); undefined for other text. */
export function parsedJson(text: string): unknown {
  try {
    return exactJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** `source` is the number as it is written (TC39 JSON.parse source text access, in Node since 21). */
function exactly(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const { source } = context ?? {};
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined;
  return isExact || !/^-?\d+$/.test(source) ? value : source;
}
