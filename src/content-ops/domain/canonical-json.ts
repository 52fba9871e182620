/**
 * JSON with one spelling per value: members sorted by name, no white space (RFC 8785). Equal values give equal bytes in any
 * order of members. `undefined` members are omitted.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) return canonicalObject(value as Record<string, unknown>);
  return JSON.stringify(value) ?? 'null';
}

function canonicalObject(value: Record<string, unknown>): string {
  const members = [];
  for (const name of Object.keys(value).sort()) {
    if (value[name] !== undefined) members.push(`${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  }
  return `{${members.join(',')}}`;
}
