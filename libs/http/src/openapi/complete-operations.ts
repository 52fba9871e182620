import type { OpenAPIObject } from '@nestjs/swagger';
import { RETURNS_ETAG } from '../etag/returns-etag.js';
import { problemResponse } from '../problems/problem-responses.js';

interface Operation {
  responses: Record<string, { description?: string; headers?: Record<string, unknown> }>;
  [RETURNS_ETAG]?: boolean;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
/** What may answer in front of any route, whatever it does. */
const ALWAYS = [429, 503];
/** What may answer in front of any route that may be sent a body, also where it takes none: not JSON, too large, another type. */
const WITH_A_BODY = [400, 413, 415];
const WITHOUT_BODY = ['get', 'delete'];

const header = (description: string, schema: object) => ({ description, schema });
const LIMIT_HEADERS = {
  'X-Request-Id': header('Names this request; quote it when asking for help.', { type: 'string' }),
  'RateLimit-Policy': header('The limit that applies: `"name";q=requests;w=seconds`.', { type: 'string' }),
  RateLimit: header('What is left of it: `"name";r=requests;t=seconds until reset`.', { type: 'string' }),
};

const ETAG = {
  ETag: header(
    'Made of the version that was answered, such as `"v3"`; send it back as If-None-Match or If-Match.',
    { type: 'string' },
  ),
};

/** Never limited, never behind anything; and what the public address does not serve. */
const PROBES = /^\/(health|healthz|readyz)$/;
const INTERNAL = /^\/internal(\/|$)/;

/**
 * Adds to every operation what the service does to all of them: limits on requests and bodies, outages
 * and the headers of every answer. Internal operations are left out: the document is for callers of the public address.
 */
export function completeOperations(document: OpenAPIObject): OpenAPIObject {
  const entries = Object.entries(document.paths).filter(([path]) => !INTERNAL.test(path));
  for (const [path, operations] of entries) {
    if (PROBES.test(path)) continue;
    for (const method of METHODS) {
      const operation = operations[method] as Operation | undefined;
      if (!operation) continue;
      if (operation[RETURNS_ETAG]) tagAnswers(operation, method);
      complete(operation, method);
    }
  }
  return { ...document, paths: Object.fromEntries(entries) };
}

/** What was read is answered in full, or not again to who has it: RFC 9110, section 15.4.5. */
function tagAnswers(operation: Operation, method: (typeof METHODS)[number]): void {
  delete operation[RETURNS_ETAG];
  if (method === 'get')
    operation.responses[304] = { description: 'It is as it was when the ETag in If-None-Match was read.' };
  for (const [status, response] of Object.entries(operation.responses))
    if (Number(status) < 400) response.headers = { ...ETAG, ...response.headers };
}

function complete({ responses }: Operation, method: (typeof METHODS)[number]): void {
  for (const status of WITHOUT_BODY.includes(method) ? ALWAYS : [...WITH_A_BODY, ...ALWAYS])
    responses[status] ??= problemResponse(status);
  for (const [status, response] of Object.entries(responses)) {
    if (status !== '304') response.headers = { ...LIMIT_HEADERS, ...response.headers };
  }
}
