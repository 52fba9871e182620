import type { Route } from '../../wire/router.js';
import type { Payments } from '../payments.js';
import { newId } from '../state/ids.js';
import type { WebhookEndpoint } from '../state/objects.js';
import { type ApiCall, apiRoute, type Outcome } from '../wire/api-route.js';
import { invalid, missingParam, noSuch } from '../wire/problems.js';
import { API_VERSION } from '../wire/version.js';
import { listed } from './listed.js';

export function eventRoutes(payments: Payments): Route[] {
  const { events, deliveries } = payments;
  return [
    apiRoute(payments, 'GET', '/events', (call) => {
      const type = call.params.text('type');
      return listed(call, events, '/v1/events', (each) => type === undefined || each.type === type);
    }),
    apiRoute(payments, 'GET', '/events/:id', ({ account, path }) => {
      const event = events.of(account.id, path('id'));
      if (!event) throw noSuch('event', path('id'), 'id', 404);
      return { value: event };
    }),
    apiRoute(payments, 'POST', '/webhook_endpoints', (call) => createEndpoint(payments, call)),
    apiRoute(payments, 'GET', '/webhook_endpoints', ({ account, params }) => {
      params.done();
      const data = deliveries.endpoints.allOf(account.id).map(({ endpoint }) => endpoint);
      return { value: { object: 'list', data, has_more: false, url: '/v1/webhook_endpoints' } };
    }),
    apiRoute(payments, 'DELETE', '/webhook_endpoints/:id', ({ account, path }) => {
      if (!deliveries.endpoints.of(account.id, path('id')))
        throw noSuch('webhook endpoint', path('id'), 'id', 404);
      deliveries.endpoints.discard(path('id'));
      return { value: { id: path('id'), object: 'webhook_endpoint', deleted: true } };
    }),
  ];
}

/** The secret is in this response only. */
function createEndpoint(payments: Payments, { params, account }: ApiCall): Outcome {
  const url = params.requiredText('url');
  if (!URL.canParse(url)) throw invalid('Invalid URL', 'url', 'url_invalid');
  const enabled = params.texts('enabled_events');
  if (enabled.length === 0) throw missingParam('enabled_events');
  const metadata = params.metadata();
  params.done();
  const endpoint = endpointOf(payments, url, enabled, metadata);
  const secret = newId('whsec', 32);
  payments.deliveries.endpoints.put(account.id, { id: endpoint.id, endpoint, secrets: [secret] });
  return { value: { ...endpoint, secret } };
}

export const endpointOf = (
  payments: Payments,
  url: string,
  enabled: readonly string[],
  metadata: WebhookEndpoint['metadata'] = {},
): WebhookEndpoint => ({
  id: newId('we'),
  object: 'webhook_endpoint',
  created: payments.now,
  livemode: false,
  url,
  enabled_events: enabled,
  status: 'enabled',
  api_version: API_VERSION,
  metadata,
});
