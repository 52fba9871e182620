import { parse } from 'node:querystring';
import { isStorable } from './clean-json.js';

/** Query strings as Express sees them: text in NFC; values that no database could hold count as not sent. */
export function parseQuery(text: string | null): Record<string, unknown> {
  const query = Object.create(null) as Record<string, unknown>;
  if (!text) return query;
  for (const [name, value] of Object.entries(parse(text))) {
    const values = [value ?? []]
      .flat()
      .filter(isStorable)
      .map((one) => one.normalize('NFC'));
    if (values.length > 0) query[name] = values.length === 1 ? values[0] : values;
  }
  return query;
}
