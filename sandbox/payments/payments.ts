import type { JournalRecord, Persistent } from '../ledger/journal.js';
import { type AccountName, type Effect, hintsIn } from '../ledger/effect.js';
import type { SandboxContext } from '../outside-service.js';
import type { SandboxResponse } from '../wire/response.js';
import type { Call } from '../wire/call.js';
import type { FaultInjectable, Refusal } from '../wire/site.js';
import { createHash } from 'node:crypto';
import { newId } from './state/ids.js';
import { type PaymentAccount, PaymentAccounts } from './state/accounts.js';
import { FirstResults } from './state/first-results.js';
import type {
  Charge,
  Customer,
  Invoice,
  PaymentEvent,
  PaymentIntent,
  PendingLines,
  PortalSession,
  Price,
  Product,
  Session,
  SessionOrder,
  Subscription,
} from './state/objects.js';
import { Table } from './state/table.js';
import { Deliveries } from './webhooks/deliveries.js';
import { refusal } from './wire/problems.js';
import { secretKeyIn } from './wire/secret-key.js';
import { API_VERSION } from './wire/version.js';

export interface PaymentSettings {
  /** Between the acceptance of an idempotency key and the effect, so that concurrent calls can be tested. */
  readonly executionMs: number;
  /** Events are stored and not delivered until they are released. */
  readonly holdWebhooks: boolean;
}

const DEFAULTS: PaymentSettings = { executionMs: 0, holdWebhooks: false };

/** Who makes a call, and which call it is. */
export interface Caused {
  readonly account: PaymentAccount;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}

/** The state of the payment provider. */
export class Payments implements FaultInjectable {
  readonly network = 'payments';
  readonly accounts: PaymentAccounts;
  readonly results: FirstResults;
  readonly products: Table<Product>;
  readonly prices: Table<Price>;
  readonly customers: Table<Customer>;
  readonly sessions: Table<Session>;
  readonly orders: Table<SessionOrder & { readonly id: string }>;
  readonly subscriptions: Table<Subscription>;
  readonly pending: Table<PendingLines>;
  readonly invoices: Table<Invoice>;
  readonly intents: Table<PaymentIntent>;
  readonly charges: Table<Charge>;
  readonly portals: Table<PortalSession>;
  readonly events: Table<PaymentEvent>;
  readonly deliveries: Deliveries;
  settings = DEFAULTS;
  /** Where it listens. */
  baseUrl = '';
  /** The index page of the sandbox. */
  sandboxUrl = '';

  constructor(
    private readonly world: Pick<SandboxContext, 'clock' | 'ledger' | 'journal' | 'capacity'>,
    firstKey: string,
  ) {
    const { journal, clock, capacity } = world;
    const table = <T extends { readonly id: string }>(kind: string): Table<T> =>
      new Table<T>(journal, `payments.${kind}`, capacity);
    this.accounts = new PaymentAccounts(journal, firstKey);
    this.results = new FirstResults(journal, clock, capacity);
    this.products = table('product');
    this.prices = table('price');
    this.customers = table('customer');
    this.sessions = table('session');
    this.orders = table('order');
    this.subscriptions = table('subscription');
    this.pending = table('pending');
    this.invoices = table('invoice');
    this.intents = table('payment_intent');
    this.charges = table('charge');
    this.portals = table('portal');
    this.events = table('event');
    this.deliveries = new Deliveries(clock, journal, capacity);
  }

  get persistent(): readonly (Persistent & { clear(): void })[] {
    const { products, prices, customers, sessions, orders, subscriptions } = this;
    const { pending, invoices, intents, charges, portals, events, accounts, results } = this;
    const sold = [products, prices, customers, sessions, orders, subscriptions, pending, portals];
    return [accounts, results, ...sold, invoices, intents, charges, events, this.deliveries.endpoints];
  }

  /** Seconds since 1970. */
  get now(): number {
    return Math.floor(this.world.clock.now().getTime() / 1000);
  }

  clear(): void {
    this.deliveries.stop();
    for (const part of this.persistent) part.clear();
    this.settings = DEFAULTS;
    this.accounts.seed();
  }

  accountOf(call: Call): AccountName | undefined {
    const account = this.accounts.byKey(secretKeyIn(call) ?? '');
    return account && { id: account.id, username: account.name };
  }

  textOf(call: Call): string {
    return decodeURIComponent(call.body.replaceAll('+', ' '));
  }

  refuse(given: Refusal): SandboxResponse {
    return refusal(given);
  }

  replaced(original: SandboxResponse, sent: SandboxResponse): void {
    this.results.replace(original, sent);
  }

  /** Counts an effect. The caller stores the line together with what changed. */
  effect(
    call: Call,
    account: PaymentAccount,
    kind: string,
    id: string,
    text: string | null = null,
  ): { readonly effect: Effect; readonly line: JournalRecord } {
    const effect = this.world.ledger.record({
      network: this.network,
      kind: `payment.${kind}`,
      at: this.world.clock.now().toISOString(),
      account: { id: account.id, username: account.name },
      id,
      text,
      inReplyTo: null,
      host: call.host,
      token: createHash('sha256')
        .update(secretKeyIn(call) ?? '')
        .digest('hex')
        .slice(0, 12),
      hints: hintsIn(call.headers),
    });
    return { effect, line: { kind: 'effect', effect } };
  }

  /** Stores an event and delivers it to the endpoints of the account. */
  emit(
    { account, requestId, idempotencyKey }: Caused,
    type: string,
    object: object,
    previous?: object,
  ): void {
    const event: PaymentEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.now,
      data: { object, ...(previous && { previous_attributes: previous }) },
      livemode: false,
      pending_webhooks: this.deliveries.endpointsFor(account.id, type).length,
      request: { id: requestId, idempotency_key: idempotencyKey },
      type,
    };
    this.events.put(account.id, event);
    this.deliveries.send(account.id, event, this.settings.holdWebhooks);
  }
}
