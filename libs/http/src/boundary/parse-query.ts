import { parse } from 'node:querystring';
import { storable } from './clean-json.js';
import { normalized } from './normalized.js';

/**
 * Parses query strings for Express, with text in NFC. Text that PostgreSQL cannot store and overlong rows of combining marks
 * become U+FFFD, so that a filter with them finds nothing instead of everything.
 */
export function parseQuery(text: string | null): Record<string, unknown> {
  const query = Object.create(null) as Record<string, unknown>;
  if (!text) return query;
  for (const [name, value] of Object.entries(parse(text))) {
    const values = [value ?? []].flat().map((one) => normalized(storable(one)));
    if (values.length > 0) query[name] = values.length === 1 ? values[0] : values;
  }
  return query;
}
