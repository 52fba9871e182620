/** Names in lower case; of a repeated header the first value. */
export type OutboundHeaders = Readonly<Record<string, string | undefined>>;

export function firstValues(headers: Record<string, string | string[] | undefined>): OutboundHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}
