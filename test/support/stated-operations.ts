import type { Method } from './call.js';

export type StatedOperation = readonly [method: Method, path: string, statuses: readonly number[]];

/**
 * Every operation that document 1 (social publishing) states, with each status that it states. It states no status for the last
 * three ("further endpoints"): there stands what the product answers.
 */
export const socialPublishing: readonly StatedOperation[] = [
  ['GET', '/health', [200, 503]],
  ['GET', '/healthz', [200]],
  ['GET', '/readyz', [200, 503]],
  ['GET', '/api/posts', [200, 401]],
  ['POST', '/api/posts', [201, 400, 401]],
  ['GET', '/api/posts/{postId}', [200, 404]],
  ['PUT', '/api/posts/{postId}', [200, 404]],
  ['DELETE', '/api/posts/{postId}', [204, 404]],
  ['GET', '/api/content-ops/queue', [200, 401]],
  ['GET', '/api/content-ops/daily', [200, 401]],
  ['GET', '/api/content-ops/events', [200, 401]],
  ['GET', '/api/content-ops/items/{contentId}', [200, 404]],
  ['PATCH', '/api/content-ops/items/{contentId}', [200]],
  ['POST', '/api/content-ops/items/{contentId}/approve', [200]],
  ['POST', '/api/content-ops/items/{contentId}/reject', [200]],
  ['POST', '/api/content-ops/items/{contentId}/reschedule', [200]],
  ['POST', '/api/content-ops/items/{contentId}/retry', [200]],
  ['GET', '/api/media', [200]],
  ['POST', '/api/media/upload', [200]],
  ['POST', '/api/ai/generate-image', [200, 429]],
  ['GET', '/api/brands', [200]],
  ['POST', '/api/brands', [201]],
  ['GET', '/api/integrations/{platform}/connect', [302]],
  ['GET', '/api/integrations', [200]],
  ['POST', '/api/brands/{brandId}/transfer-organization', [200]],
  ['GET', '/api/widget', [200]],
  ['POST', '/api/integrations/{platform}/connect', [200, 409]],
];

/** Every operation that document 2 (contact management) states, with each status that it states. */
export const contactManagement: readonly StatedOperation[] = [
  ['GET', '/health', [200]],
  ['GET', '/api', [200]],
  ['GET', '/api/contacts', [200, 500]],
  ['POST', '/api/contacts', [201, 400, 500]],
  ['GET', '/api/contacts/{id}', [200, 404, 500]],
  ['PUT', '/api/contacts/{id}', [200, 400, 404, 500]],
  ['DELETE', '/api/contacts/{id}', [200, 404, 500]],
  ['GET', '/api/contacts/{id}/notes', [200, 404, 500]],
  ['POST', '/api/contacts/{id}/notes', [201, 400, 404, 500]],
  ['GET', '/api/contacts/{contactId}/notes/{noteId}', [200, 404, 500]],
  ['PUT', '/api/contacts/{contactId}/notes/{noteId}', [200, 400, 404, 500]],
  ['DELETE', '/api/contacts/{contactId}/notes/{noteId}', [200, 404, 500]],
  ['GET', '/api/contacts/{id}/attachments', [200, 404, 500]],
  ['POST', '/api/contacts/{id}/attachments', [201, 400, 404, 413, 500]],
  ['GET', '/api/attachments/{id}', [200, 404, 500]],
  ['DELETE', '/api/attachments/{id}', [200, 404, 500]],
  ['GET', '/api/pipeline', [200, 500]],
  ['GET', '/api/pipeline/{pipelineId}', [200, 404, 500]],
  ['GET', '/api/pipeline/{pipelineId}/board', [200, 404, 500]],
  ['PUT', '/api/pipeline/{contactId}/move', [200, 400, 404, 500]],
  ['GET', '/api/pipeline/{contactId}/history', [200, 404, 500]],
  ['POST', '/api/contacts/import', [200, 400, 500]],
  ['GET', '/api/contacts/export', [200, 500]],
];

/** Operations of features that are not built yet. A test fails for each that is served: its line is then removed here. */
export const notBuilt: ReadonlySet<string> = new Set(['POST /api/ai/generate-image']);

export const statedOperations: readonly StatedOperation[] = [...socialPublishing, ...contactManagement];

/**
 * Each status of each operation that a test has to reach, as `GET /api/posts/{postId} 404`. Not 500: it is an injected
 * failure at the filter that all operations share (http-problems.int-spec.ts).
 */
export const statusesToReach: readonly string[] = [
  ...new Set(
    statedOperations
      .filter(([method, path]) => !notBuilt.has(`${method} ${path}`))
      .flatMap(([method, path, statuses]) => statuses.map((status) => `${method} ${path} ${status}`))
      .filter((line) => !line.endsWith(' 500')),
  ),
];
