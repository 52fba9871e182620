import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import type { RunningService } from '#libs/http';
import { CredentialsStore } from '../../src/platform/gateway/credentials/credentials.store.js';
import { acceptSecret } from '../../src/platform/gateway/credentials/secrets.js';
import { OperationsSweep } from '../../src/platform/gateway/payments/operations/operations.sweep.js';
import { RelayWorker } from '../../src/platform/gateway/payments/relay/relay.worker.js';
import { EventsStore } from '../../src/platform/gateway/payments/webhooks/events.store.js';
import { AGENT_TOKEN, type BootedGateway, bootGateway } from './boot-gateway.js';
import { PaymentsSandbox } from './payments-sandbox.js';
import { SandboxForTests } from './sandbox.js';

export const RELAY_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const ORIGIN = 'http://127.0.0.1:3000';

export interface Relayed {
  readonly id: string;
  readonly body: {
    readonly id: string;
    readonly type: string;
    readonly object: { readonly type: string; readonly id: string };
    readonly relatedIds: readonly string[];
    readonly organizationId: string;
    readonly applicationId: string;
  };
  /** Whether the signature is that of RELAY_SECRET. */
  readonly isSigned: boolean;
}

/** The service that gets relayed events. */
class Receiver {
  readonly received: Relayed[] = [];
  /** What it answers. */
  status = 200;
  /** Each response waits for it. */
  ready: (id: string) => Promise<unknown> = () => Promise.resolve();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new Receiver(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    );
    server.on('request', (incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const id = String(incoming.headers['webhook-id']);
        const signed = `${id}.${String(incoming.headers['webhook-timestamp'])}.${text}`;
        const key = Buffer.from(RELAY_SECRET.slice(6), 'base64');
        const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
        const isSigned = incoming.headers['webhook-signature'] === expected;
        receiver.received.push({ id, body: JSON.parse(text) as Relayed['body'], isSigned });
        void receiver.ready(id).then(() => response.writeHead(receiver.status).end());
      });
    });
    return receiver;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The gateway with a credential of the platform at the payment provider of a sandbox, and a receiver of its events. */
export class PaymentsWorld {
  private constructor(
    readonly sandbox: SandboxForTests,
    readonly payments: PaymentsSandbox,
    readonly gateway: BootedGateway,
    readonly receiver: Receiver,
    /** Of the events of the application of `otherApplication`. */
    readonly otherReceiver: Receiver,
    /** Of the platform. */
    readonly credentialId: string,
    readonly webhookSecret: string,
  ) {}

  static async open(overrides: Readonly<Record<string, string>> = {}): Promise<PaymentsWorld> {
    const sandbox = await SandboxForTests.start();
    const payments = await PaymentsSandbox.of(sandbox);
    const [receiver, otherReceiver] = [await Receiver.start(), await Receiver.start()];
    const gateway = await bootGateway('http://127.0.0.1:1', {
      STRIPE_URL: payments.url,
      PAYMENT_RETURN_ORIGINS: ORIGIN,
      PAYMENT_RELAY_URLS: `social-publishing=${receiver.url},agent=${otherReceiver.url}`,
      PAYMENT_RELAY_SECRETS: `social-publishing=${RELAY_SECRET},agent=${RELAY_SECRET}`,
      ...overrides,
    });
    const endpoint = await payments.client().webhookEndpoints.create({
      url: `${gateway.service.url}/api/payments/webhooks/stripe`,
      enabled_events: ['*'],
    });
    const webhookSecret = endpoint.secret ?? '';
    const credentialId = await addCredential(gateway.service, null, payments.secretKey, [webhookSecret]);
    return new PaymentsWorld(
      sandbox,
      payments,
      gateway,
      receiver,
      otherReceiver,
      credentialId,
      webhookSecret,
    );
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.receiver.stop();
    await this.otherReceiver.stop();
    await this.sandbox.stop();
  }

  addCredential(organizationId: string | null, key: string, webhookSecrets: string[] = []): Promise<string> {
    return addCredential(this.gateway.service, organizationId, key, webhookSecrets);
  }

  /** A new key of an organization's credential. */
  async rotate(id: string, key: string): Promise<void> {
    const secret = acceptSecret('stripe', { key, webhookSecrets: [] }, true);
    const store = this.gateway.service.app.get(CredentialsStore, { strict: false });
    await store.rotate({ id, actor: { type: 'operator', id: null } }, secret);
  }

  change(id: string, changes: { readonly enabled: boolean }): Promise<unknown> {
    const store = this.gateway.service.app.get(CredentialsStore, { strict: false });
    return store.change({ id, actor: { type: 'operator', id: null } }, changes);
  }

  /** Deletes it also with objects, which the API refuses. */
  erase(id: string): Promise<unknown> {
    return this.gateway.test.database.query(
      `UPDATE gateway.credential SET deleted_at = now(), data_key = '', secret = '' WHERE id = $1`,
      [id],
    );
  }

  /** A caller of the gateway: an organization of the business API, or of another application. */
  async caller(of: { organizationId?: string; token?: string } = {}): Promise<PaymentsCaller> {
    const organizationId = of.organizationId ?? randomUUID();
    const headers = await this.gateway.headers({ ...of, organizationId });
    return new PaymentsCaller(this.gateway.service.url, headers, organizationId);
  }

  otherApplication(organizationId: string): Promise<PaymentsCaller> {
    return this.caller({ organizationId, token: AGENT_TOKEN });
  }

  fault(kind: string, route: string, more: object = {}): Promise<unknown> {
    return this.sandbox.control('POST', '/faults', { kind, route, network: 'payments', times: 1, ...more });
  }

  sweep(service = this.gateway.service): Promise<void> {
    return service.app.get(OperationsSweep, { strict: false }).sweep();
  }

  /** As the relay does every few seconds. */
  adopt(): Promise<number> {
    return this.gateway.service.app.get(EventsStore, { strict: false }).adopt();
  }

  async relay({ app } = this.gateway.service): Promise<void> {
    await app.get(RelayWorker, { strict: false }).runOnce();
  }
}

/** Calls the gateway for one organization. */
export class PaymentsCaller {
  constructor(
    private readonly url: string,
    readonly headers: Readonly<Record<string, string>>,
    readonly organizationId: string,
  ) {}

  at(url: string): PaymentsCaller {
    return new PaymentsCaller(url, this.headers, this.organizationId);
  }

  get(path: string) {
    return request(this.url).get(`/api/payments${path}`).set(this.headers);
  }

  post(path: string, body: object, key?: string) {
    const sent = request(this.url).post(`/api/payments${path}`).set(this.headers);
    return (key === undefined ? sent : sent.set('idempotency-key', key)).send(body);
  }

  patch(path: string, body: object, key?: string) {
    const sent = request(this.url).patch(`/api/payments${path}`).set(this.headers);
    return (key === undefined ? sent : sent.set('idempotency-key', key)).send(body);
  }

  async price(changes: object = {}): Promise<string> {
    const body = {
      ...{ currency: 'EUR', unitAmount: 1_000, recurring: { interval: 'month' } },
      ...{ productData: { name: 'Seat' }, ...changes },
    };
    const { body: created } = await this.post('/prices', body).expect(201);
    return (created as { id: string }).id;
  }

  /** A paid subscription. */
  async subscription(payments: PaymentsSandbox, quantity: number): Promise<{ id: string; itemId: string }> {
    const { body: session } = await this.post('/checkout-sessions', {
      mode: 'subscription',
      items: [{ priceId: await this.price(), quantity }],
      successUrl: `${ORIGIN}/done`,
      metadata: { package: 'five' },
    }).expect(201);
    await payments.pay(String((session as { url: string }).url));
    const path = `/checkout-sessions/${(session as { id: string }).id}`;
    const { subscriptionId } = (await this.get(path).expect(200)).body as { subscriptionId: string };
    const { body } = await this.get(`/subscriptions/${subscriptionId}`).expect(200);
    const [item] = (body as { items: { id: string }[] }).items;
    return { id: subscriptionId, itemId: item?.id ?? '' };
  }
}

async function addCredential(
  { app }: RunningService,
  organizationId: string | null,
  key: string,
  webhookSecrets: readonly string[],
): Promise<string> {
  const secret = acceptSecret('stripe', { key, webhookSecrets }, organizationId !== null);
  const given = { provider: 'stripe' as const, organizationId, label: 'Payments', secret };
  const { id } = await app
    .get(CredentialsStore, { strict: false })
    .add(given, { type: 'operator', id: null });
  return id;
}
