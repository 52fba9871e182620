import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { statedOperations, statusesToReach } from './stated-operations.js';

/** Folder of this run, in which each worker appends to a file of its own; set by the reporter, absent without it. */
export const REACHED_STATUSES = 'REACHED_STATUSES';

const expected = new Set(statusesToReach);
const ports = new Set<number | undefined>();
const paths = new Set(statedOperations.map(([, path]) => path));
const templates = [...paths]
  .filter((path) => path.includes('{'))
  .map((path) => [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const);

/** Records the statuses of this server, for the reporter of required statuses. */
export function noteReachedStatuses(url: string): void {
  if (ports.size === 0) subscribe('http.server.response.finish', note);
  ports.add(Number(new URL(url).port));
}

function note(message: unknown): void {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const folder = process.env[REACHED_STATUSES];
  if (!folder || !ports.has(request.socket.localPort)) return;
  const path = templateOf(request.url?.split('?')[0] ?? '');
  const line = `${request.method} ${path} ${response.statusCode}`;
  if (expected.delete(line)) appendFileSync(join(folder, String(process.pid)), `${line}\n`);
}

/** A literal path wins over one with a parameter in its place: `/api/contacts/export` is no contact. */
function templateOf(path: string): string | undefined {
  return paths.has(path) ? path : templates.find(([, pattern]) => pattern.test(path))?.[0];
}
