import { parse } from 'node:querystring';
import { normalized } from './normalized.js';

/**
 * Query strings as Express sees them: text in NFC. What no database could hold and what no language writes becomes U+FFFD,
 * so that a filter with it finds nothing instead of everything.
 */
export function parseQuery(text: string | null): Record<string, unknown> {
  const query = Object.create(null) as Record<string, unknown>;
  if (!text) return query;
  for (const [name, value] of Object.entries(parse(text))) {
    const values = [value ?? []]
      .flat()
      .map((one) => normalized(one.replaceAll('\0', '\ufffd').toWellFormed()));
    if (values.length > 0) query[name] = values.length === 1 ? values[0] : values;
  }
  return query;
}
