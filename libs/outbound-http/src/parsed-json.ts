const LONG_NUMBER = /\d{16}/;

/** JSON; undefined for other text. Ids of some networks are 64-bit integers; those that a number cannot represent stay text. */
export function parsedJson(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
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
