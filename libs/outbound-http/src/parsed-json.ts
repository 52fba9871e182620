const BYTE_ORDER_MARK = '\ufeff';

/** Whether it can have an integer that a number cannot represent: its values are read one by one then, which takes much longer. */
export const hasLongNumber = (text: string): boolean => /\d{16}/.test(text);

type Reviver = Parameters<typeof JSON.parse>[1];

/**
 * JSON whose integers keep all their digits: those that a number cannot represent, such as 64-bit ids of some networks, stay text.
 * @param inexact what such an integer becomes, by its digits @throws SyntaxError
 */
export const exactJson = (text: string, inexact: (source: string) => unknown = String): unknown =>
  hasLongNumber(text) ? JSON.parse(text, exactly(inexact)) : JSON.parse(text);

/** The same, also behind a byte order mark (RFC 8259, section 8.1); undefined for other text. */
export function parsedJson(text: string): unknown {
  try {
    return exactJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** `source` is the number as it is written (TC39 JSON.parse source text access, in Node since 21). */
const exactly =
  (inexact: (source: string) => unknown): Reviver =>
  (_name: string, value: unknown, { source }: { readonly source?: string } = {}): unknown => {
    const isExact = typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined;
    return isExact || !/^-?\d+$/.test(source) ? value : inexact(source);
  };
