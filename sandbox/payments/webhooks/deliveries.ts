import { request } from 'node:http';
import type { Clock } from '#libs/clock';
import type { Journal } from '../../ledger/journal.js';
import type { PaymentEvent } from '../state/objects.js';
import { Table } from '../state/table.js';
import { listensTo, type SecretEndpoint } from './endpoints.js';
import { signatureHeader } from './signature.js';

const TIMEOUT_MS = 10_000;
/** The provider repeats for three days; here the waits are shorter. */
const RETRY_AFTER_MS = [1_000, 5_000, 15_000, 60_000, 300_000];
const MAX_ATTEMPTS = 1_000;

/** How one delivery differs from a correct one. */
export interface Distortion {
  /** `secret`: signed with another secret. `body`: changed after it was signed. */
  readonly forged?: 'secret' | 'body';
  /** How old the signature is; negative: in the future. */
  readonly ageSeconds?: number;
}

export interface DeliveryAttempt {
  readonly event: string;
  readonly endpoint: string;
  /** 0: no response. */
  readonly status: number;
  readonly body: string;
}

/** Sends events to webhook endpoints: at least once, each signed at the time of sending, in no promised order. */
export class Deliveries {
  readonly endpoints: Table<SecretEndpoint>;
  readonly attempts: DeliveryAttempt[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private held: { readonly account: string; readonly event: PaymentEvent }[] = [];

  constructor(
    private readonly clock: Clock,
    journal: Pick<Journal, 'append'>,
    capacity: number,
  ) {
    this.endpoints = new Table(journal, 'payments.endpoint', capacity);
  }

  endpointsFor(account: string, type: string): SecretEndpoint[] {
    return this.endpoints.allOf(account).filter((endpoint) => listensTo(endpoint, type));
  }

  send(account: string, event: PaymentEvent, hold: boolean): void {
    if (hold) this.held.push({ account, event });
    else
      for (const endpoint of this.endpointsFor(account, event.type))
        this.later(0, account, endpoint.id, event, 0);
  }

  /** Delivers held events one after the other. @returns the ids in the order of delivery */
  async release(reversed: boolean): Promise<string[]> {
    const events = reversed ? this.held.toReversed() : this.held;
    this.held = [];
    for (const { account, event } of events) await this.deliver(account, event);
    return events.map(({ event }) => event.id);
  }

  /** Delivers an event now, also once more. */
  async deliver(
    account: string,
    event: PaymentEvent,
    distortion: Distortion = {},
  ): Promise<DeliveryAttempt[]> {
    const attempts = [];
    for (const endpoint of this.endpointsFor(account, event.type))
      attempts.push(await this.attempt(endpoint, event, distortion));
    return attempts;
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.held = [];
    this.attempts.length = 0;
  }

  private later(ms: number, account: string, endpointId: string, event: PaymentEvent, retries: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.tryOnce(account, endpointId, event, retries);
    }, ms);
    timer.unref();
    this.timers.add(timer);
  }

  private async tryOnce(account: string, id: string, event: PaymentEvent, retries: number): Promise<void> {
    const endpoint = this.endpoints.of(account, id);
    if (!endpoint) return;
    const { status } = await this.attempt(endpoint, event, {});
    const wait = RETRY_AFTER_MS[retries];
    if ((status < 200 || status > 299) && wait !== undefined)
      this.later(wait, account, id, event, retries + 1);
  }

  private async attempt(
    { endpoint, secrets }: SecretEndpoint,
    event: PaymentEvent,
    { forged, ageSeconds = 0 }: Distortion,
  ): Promise<DeliveryAttempt> {
    const body = JSON.stringify(event, null, 2);
    const seconds = Math.floor(this.clock.now().getTime() / 1000) - ageSeconds;
    const header = signatureHeader(body, seconds, forged === 'secret' ? ['whsec_of_somebody_else'] : secrets);
    const sent = forged === 'body' ? body.replace('"livemode": false', '"livemode": true') : body;
    const { status, text } = await post(endpoint.url, sent, header);
    const attempt = { event: event.id, endpoint: endpoint.id, status, body: text };
    this.attempts.push(attempt);
    if (this.attempts.length > MAX_ATTEMPTS) this.attempts.shift();
    return attempt;
  }
}

function post(url: string, body: string, signature: string): Promise<{ status: number; text: string }> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    'stripe-signature': signature,
  };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return new Promise((resolve) => {
    const noAnswer = (): void => resolve({ status: 0, text: '' });
    request(url, { method: 'POST', headers, signal, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', noAnswer);
    })
      .on('error', noAnswer)
      .end(body);
  });
}
