import { randomUUID } from 'node:crypto';
import { type ApiResponse, callOf } from './call.js';
import { type Operation, valueOf } from './operations.js';
import type { Walk } from './walk.js';

interface Asked {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * Sends each operation ids of another organization in its path, query, body or headers, one place more at a time. Then sends
 * the same requests with unknown ids.
 * @returns how many pairs were sent, and those whose responses differ in more than the request's id
 */
export async function existenceLeaks(
  walk: Walk,
  operations: readonly Operation[],
  headers: Readonly<Record<string, string>>,
): Promise<{ asked: number; leaks: string[] }> {
  const known = Object.values(walk.things.known).map((value) => valueOf(value) ?? '');
  const theirs = [...new Set([...walk.things.ids, ...known])].filter((id) => /^[0-9a-f-]{36}$/.test(id));
  const unknownIds = new Map(theirs.map((id) => [id, randomUUID() as string]));
  let asked = 0;
  const leaks: string[] = [];
  for (const operation of operations) {
    for (const request of await requestsTo(walk, operation, headers)) {
      const other = replaced(request, unknownIds);
      if (JSON.stringify(other) === JSON.stringify(request)) continue;
      asked += 1;
      const [a, b] = [await send(walk, operation, request), await send(walk, operation, other)];
      // A response may repeat the id of its request.
      if (visibleParts(a, unknownIds) !== visibleParts(b, unknownIds))
        leaks.push(`${operation.name} ${request.address}: ${a.text} | ${b.text}`);
    }
  }
  return { asked, leaks };
}

async function requestsTo(walk: Walk, operation: Operation, headers: Asked['headers']): Promise<Asked[]> {
  const address = await walk.things.address(operation);
  const plain = { address, headers, body: walk.things.body(operation) };
  const more = operation.parameters.flatMap(({ name, in: place, required }): Asked[] => {
    const id = valueOf(walk.things.known[name === 'X-Brand-ID' ? 'brandId' : name]);
    if (id === undefined || required) return [];
    if (place === 'header') return [{ ...plain, headers: { ...headers, [name]: id } }];
    const query = `${address.includes('?') ? '&' : '?'}${name}=${id}`;
    return place === 'query' ? [{ ...plain, address: address + query }] : [];
  });
  return [plain, ...more];
}

function send(walk: Walk, { method }: Operation, { address, headers, body }: Asked): Promise<ApiResponse> {
  return callOf(walk.url, headers)(method, address, body);
}

function replaced<T>(value: T, ids: ReadonlyMap<string, string>): T {
  let text = JSON.stringify(value);
  for (const [id, other] of ids) text = text.replaceAll(id, other);
  return JSON.parse(text) as T;
}

/** All that a caller can read, without what identifies the request; a cursor holds a hash of the query it belongs to. */
function visibleParts(
  { status, headers, body, text }: ApiResponse,
  ids: ReadonlyMap<string, string>,
): string {
  const { requestId: _, instance: __, ...rest } = (body ?? { text }) as Record<string, unknown>;
  const { pagination } = rest as { pagination?: { nextCursor: string | null } };
  if (pagination) rest.pagination = { ...pagination, nextCursor: pagination.nextCursor !== null };
  const told = ['etag', 'location', 'www-authenticate', 'retry-after', 'allow', 'content-type'];
  return JSON.stringify([status, replaced(rest, ids), told.map((name) => headers.get(name))]);
}
