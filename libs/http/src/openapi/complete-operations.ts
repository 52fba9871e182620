import type { OpenAPIObject } from '@nestjs/swagger';
import { API_KEY_AUTH, BEARER_AUTH } from './api-description.js';
import { RETURNS_ETAG } from '../etag/returns-etag.js';
import { describeExamples, prefillBody } from './prefilled.js';
import { problemResponse } from '../problems/problem-responses.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly [more: string]: unknown;
}

interface Operation {
  parameters?: Parameter[];
  responses: Record<string, { description?: string; headers?: Record<string, unknown> }>;
  readonly security?: readonly object[];
  readonly 'x-required-scopes'?: readonly string[];
  [RETURNS_ETAG]?: boolean;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
/** Statuses that any route may return before its handler runs. */
const ALWAYS = [429, 503];
/** Refused while the request is still parsed: these responses have no headers of the service. */
const BY_THE_PARSER = [408, 431];
/** Additional statuses of methods with a body, even if the route takes none: not JSON, too large, another type. */
const WITH_A_BODY = [400, 413, 415];
const WITHOUT_BODY = ['get', 'delete'];
/** Schemes of callers. A service without a valid token of its own gets 403. */
const OF_CALLERS = [BEARER_AUTH, API_KEY_AUTH];

const header = (description: string, schema: object) => ({ description, schema });
const LIMIT_HEADERS = {
  'X-Request-Id': header('Names this request; quote it when asking for help.', { type: 'string' }),
  'RateLimit-Policy': header('The limit that applies: `"name";q=requests;w=seconds`.', { type: 'string' }),
  RateLimit: header('What is left of it: `"name";r=requests;t=seconds until reset`.', { type: 'string' }),
  'X-RateLimit-Limit': header('Requests per window of the limit that applies.', { type: 'integer' }),
  'X-RateLimit-Remaining': header('Requests left in the window.', { type: 'integer' }),
  'X-RateLimit-Reset': header('Seconds until the window ends.', { type: 'integer' }),
};

const ETAG = {
  ETag: header(
    'Made of the version that was answered, such as `"v3"`; send it back as If-None-Match or If-Match.',
    { type: 'string' },
  ),
};

const REPLAYED = {
  'Idempotent-Replayed': header('`true`: the kept answer to an earlier request with the same key.', {
    type: 'string',
    enum: ['true'],
  }),
};

/** No `example`: Swagger UI would send it and be refused. */
const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag that was read, such as `"v3"`: answers 412 when the resource has changed since.',
  schema: { type: 'string' },
};
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag that was read: answers 304 when the resource is still the same.',
  schema: { type: 'string' },
};

/** Routes without limits and guards. */
const PROBES = /^\/(health|healthz|readyz)$/;
const INTERNAL = /^\/internal(\/|$)/;

/**
 * * Adds to every operation what all of them share: limits on requests and bodies, outages and the headers of every
 * response. Removes internal operations, because the document is for callers of the public address.
 */
export function completeOperations(document: OpenAPIObject): OpenAPIObject {
  const entries = Object.entries(document.paths).filter(([path]) => !INTERNAL.test(path));
  for (const [path, operations] of entries) {
    if (PROBES.test(path)) continue;
    for (const method of METHODS) {
      const operation = operations[method] as Operation | undefined;
      if (!operation) continue;
      if (operation[RETURNS_ETAG]) documentEtag(operation, method);
      omitHeadersOfSecurity(operation);
      complete(operation, method);
      describeExamples(operation);
      prefillBody(operation, document);
    }
  }
  return { ...document, paths: Object.fromEntries(entries) };
}

/** Documents ETag, If-Match and If-None-Match (304: RFC 9110, section 15.4.5). */
function documentEtag(operation: Operation, method: (typeof METHODS)[number]): void {
  delete operation[RETURNS_ETAG];
  if (method === 'get')
    operation.responses[304] = { description: 'It is as it was when the ETag in If-None-Match was read.' };
  for (const [status, response] of Object.entries(operation.responses))
    if (Number(status) < 400) response.headers = { ...ETAG, ...response.headers };
}

function complete(operation: Operation, method: (typeof METHODS)[number]): void {
  const { responses } = operation;
  for (const status of [
    ...ALWAYS,
    ...(WITHOUT_BODY.includes(method) ? [] : WITH_A_BODY),
    ...(isForCallers(operation) ? [401] : []),
    ...(operation['x-required-scopes'] ? [403] : []),
  ])
    responses[status] ??= problemResponse(status);
  for (const [status, response] of Object.entries(responses)) {
    const replayed = takes(operation, 'Idempotency-Key') && Number(status) < 500 ? REPLAYED : {};
    // A copy: operations of a controller share the responses that it declares.
    responses[status] = { ...response, headers: { ...LIMIT_HEADERS, ...replayed, ...response.headers } };
  }
  for (const status of BY_THE_PARSER) responses[status] ??= problemResponse(status);
  if (responses[412]) declare(operation, IF_MATCH);
  if (responses[304]) declare(operation, IF_NONE_MATCH);
}

/** Security schemes define these headers (OpenAPI 3.1, Parameter Object). Swagger UI would show them as required fields. */
function omitHeadersOfSecurity(operation: Operation): void {
  operation.parameters = operation.parameters?.filter(
    ({ name, in: place }) => place !== 'header' || name.toLowerCase() !== 'authorization',
  );
}

const isForCallers = ({ security = [] }: Operation): boolean =>
  security.some((schemes) => OF_CALLERS.some((scheme) => scheme in schemes));

const takes = ({ parameters = [] }: Operation, name: string): boolean =>
  parameters.some((parameter) => parameter.name === name);

function declare(operation: Operation, parameter: Parameter): void {
  if (!takes(operation, parameter.name)) operation.parameters = [...(operation.parameters ?? []), parameter];
}
