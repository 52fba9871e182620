import { createHash } from 'node:crypto';

/** Of JSON, the same for every order of the fields. */
export function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(value)))
    .digest('hex');
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, canonical(field)]);
}
