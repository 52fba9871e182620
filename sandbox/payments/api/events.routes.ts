import { newEndpoint, newId } from '../state/objects.js';
import type { ApiCall, Outcome, Payments } from '../state/payments.js';
import { invalid, missingParam } from '../wire/problems.js';
import { type Handlers, listed } from './api-route.js';

export const eventHandlers = ({ tables: { events, endpoints } }: Payments): Handlers => ({
  'GET /events': (call) => listed(call, events, 'type'),
  'GET /events/:id': (call) => ({ value: call.the(events, call.id, 'event', 'id', 404) }),
  'POST /webhook_endpoints': createEndpoint,
  'GET /webhook_endpoints': ({ account, params }) => {
    params.done();
    const data = endpoints.allOf(account.id).map(({ endpoint }) => endpoint);
    return { value: { object: 'list', data, has_more: false, url: '/v1/webhook_endpoints' } };
  },
  'DELETE /webhook_endpoints/:id': (call) => {
    const { id } = call.the(endpoints, call.id, 'webhook endpoint', 'id', 404);
    endpoints.discard(id);
    return { value: { id, object: 'webhook_endpoint', deleted: true } };
  },
});

/** The secret is in this response only. */
function createEndpoint(call: ApiCall): Outcome {
  const { params, now, tables } = call;
  const url = params.requiredText('url');
  if (!URL.canParse(url)) throw invalid('Invalid URL', 'url', 'url_invalid');
  const enabled = params.texts('enabled_events');
  if (enabled.length === 0) throw missingParam('enabled_events');
  const metadata = params.metadata();
  params.done();
  const endpoint = newEndpoint(now, url, enabled, metadata);
  const secret = newId('whsec', 32);
  call.put(tables.endpoints, { id: endpoint.id, endpoint, secrets: [secret] });
  return { value: { ...endpoint, secret } };
}
