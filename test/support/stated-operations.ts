import type { Method } from './call.js';

/** What a request has to carry, as security requirements of OpenAPI: one of these schemes. */
export const CREDENTIALS = {
  nothing: [],
  bearer: ['BearerAuth'],
  'bearer or key': ['BearerAuth', 'ApiKeyAuth'],
  /** Of the management address, which has no public document. */
  'internal token': null,
} as const;

export type StatedOperation = readonly [
  method: Method,
  path: string,
  credentials: keyof typeof CREDENTIALS,
  statuses: readonly number[],
];

/**
 * Every operation that document 1 (social publishing) states, with each status that it states. It states no status for the last
 * three ("further endpoints"): there stands what the product answers.
 */
export const socialPublishing: readonly StatedOperation[] = [
  ['GET', '/health', 'nothing', [200, 503]],
  ['GET', '/healthz', 'nothing', [200]],
  ['GET', '/readyz', 'nothing', [200, 503]],
  ['GET', '/api/posts', 'bearer', [200, 401]],
  ['POST', '/api/posts', 'bearer', [201, 400, 401]],
  ['GET', '/api/posts/{postId}', 'bearer', [200, 404]],
  ['PUT', '/api/posts/{postId}', 'bearer', [200, 404]],
  ['DELETE', '/api/posts/{postId}', 'bearer', [204, 404]],
  ['GET', '/api/content-ops/queue', 'bearer or key', [200, 401]],
  ['GET', '/api/content-ops/daily', 'bearer or key', [200, 401]],
  ['GET', '/api/content-ops/events', 'bearer or key', [200, 401]],
  ['GET', '/api/content-ops/items/{contentId}', 'bearer or key', [200, 404]],
  ['PATCH', '/api/content-ops/items/{contentId}', 'bearer or key', [200]],
  ['POST', '/api/content-ops/items/{contentId}/approve', 'bearer or key', [200]],
  ['POST', '/api/content-ops/items/{contentId}/reject', 'bearer or key', [200]],
  ['POST', '/api/content-ops/items/{contentId}/reschedule', 'bearer or key', [200]],
  ['POST', '/api/content-ops/items/{contentId}/retry', 'bearer or key', [200]],
  ['GET', '/api/media', 'bearer', [200]],
  ['POST', '/api/media/upload', 'bearer', [200]],
  ['POST', '/api/ai/generate-image', 'bearer', [200, 400, 401, 403, 404, 409, 413, 422, 429, 502, 503]],
  ['GET', '/api/brands', 'bearer', [200]],
  ['POST', '/api/brands', 'bearer', [201]],
  ['GET', '/api/integrations/{platform}/connect', 'bearer', [302]],
  ['GET', '/api/integrations', 'bearer', [200]],
  ['POST', '/api/brands/{brandId}/transfer-organization', 'bearer', [200]],
  ['GET', '/api/widget', 'bearer', [200]],
  ['POST', '/api/integrations/{platform}/connect', 'bearer', [200, 409]],
];

/**
 * Every operation that document 2 (contact management) states, with each status that it states. It states no credentials: there
 * stands what the product asks for.
 */
export const contactManagement: readonly StatedOperation[] = [
  ['GET', '/health', 'nothing', [200]],
  ['GET', '/api', 'nothing', [200]],
  ['GET', '/api/contacts', 'bearer', [200, 500]],
  ['POST', '/api/contacts', 'bearer', [201, 400, 500]],
  ['GET', '/api/contacts/{id}', 'bearer', [200, 404, 500]],
  ['PUT', '/api/contacts/{id}', 'bearer', [200, 400, 404, 500]],
  ['DELETE', '/api/contacts/{id}', 'bearer', [200, 404, 500]],
  ['GET', '/api/contacts/{id}/notes', 'bearer', [200, 404, 500]],
  ['POST', '/api/contacts/{id}/notes', 'bearer', [201, 400, 404, 500]],
  ['GET', '/api/contacts/{contactId}/notes/{noteId}', 'bearer', [200, 404, 500]],
  ['PUT', '/api/contacts/{contactId}/notes/{noteId}', 'bearer', [200, 400, 404, 500]],
  ['DELETE', '/api/contacts/{contactId}/notes/{noteId}', 'bearer', [200, 404, 500]],
  ['GET', '/api/contacts/{id}/attachments', 'bearer', [200, 404, 500]],
  ['POST', '/api/contacts/{id}/attachments', 'bearer', [201, 400, 404, 413, 500]],
  ['GET', '/api/attachments/{id}', 'bearer', [200, 404, 500]],
  ['DELETE', '/api/attachments/{id}', 'bearer', [200, 404, 500]],
  ['GET', '/api/pipeline', 'bearer', [200, 500]],
  ['GET', '/api/pipeline/{pipelineId}', 'bearer', [200, 404, 500]],
  ['GET', '/api/pipeline/{pipelineId}/board', 'bearer', [200, 404, 500]],
  ['PUT', '/api/pipeline/{contactId}/move', 'bearer', [200, 400, 404, 500]],
  ['GET', '/api/pipeline/{contactId}/history', 'bearer', [200, 404, 500]],
  ['POST', '/api/contacts/import', 'bearer', [200, 400, 500]],
  ['GET', '/api/contacts/export', 'bearer', [200, 500]],
];

/**
 * Operations that document 1 names without path, credentials and statuses: callbacks of a network, trend discovery and the
 * internal image route. There stands what the product has chosen.
 */
export const namedOnly: readonly StatedOperation[] = [
  ['POST', '/api/integrations/{platform}/deauthorize', 'nothing', [200, 400]],
  ['POST', '/api/integrations/{platform}/data-deletion', 'nothing', [200, 400]],
  ['POST', '/internal/ai/generate-image', 'internal token', [200, 400, 401, 403, 404, 429, 502, 503]],
  ['GET', '/api/trends', 'bearer', [200, 400, 401, 403, 404, 429, 503]],
  ['GET', '/api/trends/feeds', 'bearer', [200, 400, 401, 403, 404, 503]],
  ['PUT', '/api/trends/feeds', 'bearer', [200, 400, 401, 403, 404, 412, 503]],
  ['POST', '/api/trends/{trendId}/suggestion', 'bearer', [200, 201, 400, 401, 403, 404, 409, 422, 503]],
];

export const statedOperations: readonly StatedOperation[] = [
  ...socialPublishing,
  ...contactManagement,
  ...namedOnly,
];

/**
 * Each status of each operation that a test has to reach, as `GET /api/posts/{postId} 404`. Not 500: it is an injected
 * failure at the filter that all operations share (http-problems.int-spec.ts).
 */
export const statusesToReach: readonly string[] = [
  ...new Set(
    statedOperations
      .flatMap(([method, path, , statuses]) => statuses.map((status) => `${method} ${path} ${status}`))
      .filter((line) => !line.endsWith(' 500')),
  ),
];
