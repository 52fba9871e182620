import type { SandboxNetwork } from '../outside-service.js';
import { SANDBOX_PAYMENTS } from '../credentials.js';
import { SandboxServer } from '../server.js';
import { Router } from '../wire/router.js';
import type { Site } from '../wire/site.js';
import { apiRoutes } from './api/api-route.js';
import { catalogHandlers } from './api/catalog.routes.js';
import { checkoutHandlers } from './api/checkout.routes.js';
import { eventHandlers } from './api/events.routes.js';
import { subscriptionHandlers } from './api/subscriptions.routes.js';
import { paymentControlRoutes } from './control.routes.js';
import { pageRoutes } from './pages/pages.routes.js';
import { newEndpoint } from './state/objects.js';
import { Payments } from './state/payments.js';
import { problem, unknownAddress } from './wire/problems.js';

/** The payment provider. It has a port of its own, because the clients of the real one cannot address a path prefix. */
export const sandboxPayments: SandboxNetwork = (world) => {
  const { paymentsPort, paymentsWebhookUrl } = world.config;
  const payments = new Payments(world, SANDBOX_PAYMENTS.key);
  const site = siteOf(payments);
  const { faults, ledger, files, clock, calls } = world;
  const server = new SandboxServer([site], faults, ledger, files, clock, calls);
  return {
    sites: [],
    ownSites: [site],
    controlRoutes: paymentControlRoutes(payments),
    persistent: payments.persistent,
    accountCards: () => [],
    async open(url) {
      payments.sandboxUrl = url;
      seed(payments, paymentsWebhookUrl);
      payments.baseUrl = await server.listen(world.ownPort(paymentsPort), world.host);
      server.startAnswering();
    },
    clear() {
      payments.clear();
      seed(payments, paymentsWebhookUrl);
    },
    async close() {
      payments.deliveries.stop();
      await server.close();
    },
  };
};

function siteOf(payments: Payments): Site {
  return {
    prefix: '',
    host: 'payments',
    address: () => payments.baseUrl,
    standsFor: 'api.stripe.com, checkout.stripe.com and billing.stripe.com',
    router: new Router([
      ...[catalogHandlers, checkoutHandlers, subscriptionHandlers, eventHandlers].flatMap((handlers) =>
        apiRoutes(payments, handlers(payments)),
      ),
      ...pageRoutes(payments),
    ]),
    disturbable: payments,
    refuse: (status) =>
      status === 500 ? problem(500, 'api_error', 'The sandbox failed.') : unknownAddress(status),
  };
}

/** The first account, and its webhook endpoint at the configured address. */
function seed(payments: Payments, webhookUrl: string | undefined): void {
  const { webhookSecret } = SANDBOX_PAYMENTS;
  const account = payments.accounts.seed();
  if (webhookUrl === undefined) return;
  const { endpoints } = payments.tables;
  const known = endpoints.allOf(account.id).find(({ endpoint }) => endpoint.url === webhookUrl);
  const endpoint = known?.endpoint ?? newEndpoint(payments.now, webhookUrl, ['*']);
  if (!known?.secrets.includes(webhookSecret))
    endpoints.put(account.id, { id: endpoint.id, endpoint, secrets: [webhookSecret] });
}
