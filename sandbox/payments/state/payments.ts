import { createHash } from 'node:crypto';
import type { JournalRecord, Persistent } from '../../ledger/journal.js';
import { type AccountName, type Effect, hintsIn } from '../../ledger/effect.js';
import type { SandboxContext } from '../../outside-service.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Call } from '../../wire/call.js';
import type { FaultInjectable } from '../../wire/site.js';
import type { Params } from '../wire/params.js';
import { noSuch, refusal } from '../wire/problems.js';
import { type PaymentAccount, PaymentAccounts, secretKeyIn } from './accounts.js';
import type { Charge, Invoice, PaymentIntent, PendingLines, Subscription } from './billed.js';
import { Deliveries } from './deliveries.js';
import { FirstResults } from './first-results.js';
import {
  API_VERSION,
  type Customer,
  newId,
  type PaymentEvent,
  type PortalSession,
  type Price,
  type Product,
  type SecretEndpoint,
  type Session,
  type SessionOrder,
  wireObject,
} from './objects.js';
import { Table } from '../../networks/kit/state/table.js';

export interface PaymentSettings {
  /** Between the acceptance of an idempotency key and the effect, so that concurrent calls can be tested. */
  readonly executionMs: number;
  /** Events are stored and not delivered until they are released. */
  readonly holdWebhooks: boolean;
}

const DEFAULTS: PaymentSettings = { executionMs: 0, holdWebhooks: false };

type World = Pick<SandboxContext, 'clock' | 'ledger' | 'journal' | 'capacity'>;

function tablesOf({ journal, capacity }: World) {
  const table = <T extends { readonly id: string }>(kind: string): Table<T> =>
    new Table<T>(journal, `payments.${kind}`, capacity);
  return {
    products: table<Product>('product'),
    prices: table<Price>('price'),
    customers: table<Customer>('customer'),
    sessions: table<Session>('session'),
    orders: table<SessionOrder & { readonly id: string }>('order'),
    subscriptions: table<Subscription>('subscription'),
    pending: table<PendingLines>('pending'),
    invoices: table<Invoice>('invoice'),
    intents: table<PaymentIntent>('payment_intent'),
    charges: table<Charge>('charge'),
    portals: table<PortalSession>('portal'),
    events: table<PaymentEvent>('event'),
    endpoints: table<SecretEndpoint>('endpoint'),
  };
}

export class Payments implements FaultInjectable {
  readonly network = 'payments';
  readonly accounts: PaymentAccounts;
  readonly results: FirstResults;
  readonly tables: ReturnType<typeof tablesOf>;
  readonly deliveries: Deliveries;
  settings = DEFAULTS;
  baseUrl = '';
  sandboxUrl = '';

  constructor(
    readonly world: World,
    firstKey: string,
  ) {
    const { journal, clock, capacity } = world;
    this.accounts = new PaymentAccounts(journal, firstKey);
    this.results = new FirstResults(journal, clock, capacity);
    this.tables = tablesOf(world);
    this.deliveries = new Deliveries(clock, this.tables.endpoints);
  }

  get persistent(): readonly (Persistent & { clear(): void })[] {
    return [this.accounts, this.results, ...Object.values(this.tables)];
  }

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

  readonly refuse = refusal;

  replaced(original: SandboxResponse, sent: SandboxResponse): void {
    this.results.replace(original, sent);
  }
}

export interface Outcome<T extends object = object> {
  readonly value: T;
  readonly effect?: Effect;
}

/** A call on an account. It sees and changes objects of this account only. */
export class AccountCall {
  readonly tables: Payments['tables'];

  constructor(
    readonly payments: Payments,
    readonly account: PaymentAccount,
    readonly call: Call,
    /** Of a call of the API: of what a person or a test does, there is none. */
    readonly request: PaymentEvent['request'] = { id: null, idempotency_key: null },
  ) {
    this.tables = payments.tables;
  }

  get now(): number {
    return this.payments.now;
  }

  get id(): string {
    return this.call.params.id ?? '';
  }

  of<T extends { readonly id: string }>(table: Table<T>, id: string): T | undefined {
    return table.of(this.account.id, id);
  }

  the<T extends { readonly id: string }>(
    table: Table<T>,
    id: string,
    kind: string,
    param: string,
    status = 400,
  ): T {
    const found = this.of(table, id);
    if (!found) throw noSuch(kind, id, param, status);
    return found;
  }

  put<T extends { readonly id: string }>(table: Table<T>, value: T, ...also: readonly JournalRecord[]): T {
    return table.put(this.account.id, value, ...also);
  }

  /** Stores a new or a changed object with its effect, and emits the event. */
  store<T extends { readonly id: string }>(
    table: Table<T>,
    value: T,
    kind: string,
    { text = null, event }: { readonly text?: string | null; readonly event?: string } = {},
  ): Outcome<T> {
    const { effect, line } = this.effect(kind, value.id, text);
    this.put(table, value, line);
    if (event !== undefined) this.emit(event, value);
    return { value, effect };
  }

  /** Counts an effect. The caller stores the line together with what changed. */
  effect(kind: string, id: string, text: string | null = null): { effect: Effect; line: JournalRecord } {
    const { ledger, clock } = this.payments.world;
    const effect = ledger.record({
      network: this.payments.network,
      kind: `payment.${kind}`,
      at: clock.now().toISOString(),
      account: { id: this.account.id, username: this.account.name },
      id,
      text,
      inReplyTo: null,
      host: this.call.host,
      token: createHash('sha256')
        .update(secretKeyIn(this.call) ?? '')
        .digest('hex')
        .slice(0, 12),
      hints: hintsIn(this.call.headers),
    });
    return { effect, line: { kind: 'effect', effect } };
  }

  /** Stores an event and delivers it to the endpoints of the account. */
  emit(type: string, object: object, previous?: object): void {
    const { deliveries, settings } = this.payments;
    const event: PaymentEvent = {
      ...wireObject(newId('evt'), 'event', this.now),
      api_version: API_VERSION,
      data: { object, ...(previous && { previous_attributes: previous }) },
      pending_webhooks: deliveries.endpointsFor(this.account.id, type).length,
      request: this.request,
      type,
    };
    this.put(this.tables.events, event);
    deliveries.send(this.account.id, event, settings.holdWebhooks);
  }
}

export interface ApiCall extends AccountCall {
  readonly params: Params;
}
