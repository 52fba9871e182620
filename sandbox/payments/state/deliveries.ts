import { createHmac } from 'node:crypto';
import type { Clock } from '#libs/clock';
import { postWebhook, WebhookRetries } from '../../wire/webhook.js';
import type { PaymentEvent, SecretEndpoint } from './objects.js';
import type { Table } from '../../networks/kit/state/table.js';

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

interface DeliveryAttempt {
  readonly event: string;
  readonly endpoint: string;
  /** 0: no response. */
  readonly status: number;
  readonly body: string;
}

/** Sends events to webhook endpoints: at least once, each signed at the time of sending, in no promised order. */
export class Deliveries {
  readonly attempts: DeliveryAttempt[] = [];
  private readonly retries = new WebhookRetries(RETRY_AFTER_MS);
  private held: { readonly account: string; readonly event: PaymentEvent }[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly endpoints: Table<SecretEndpoint>,
  ) {}

  endpointsFor(account: string, type: string): SecretEndpoint[] {
    const listens = ({ enabled_events: enabled }: SecretEndpoint['endpoint']): boolean =>
      enabled.includes('*') || enabled.includes(type);
    return this.endpoints.allOf(account).filter(({ endpoint }) => listens(endpoint));
  }

  send(account: string, event: PaymentEvent, hold: boolean): void {
    if (hold) this.held.push({ account, event });
    else
      for (const { id } of this.endpointsFor(account, event.type))
        this.retries.start(async () => {
          const endpoint = this.endpoints.of(account, id);
          return endpoint ? (await this.attempt(endpoint, event)).status : null;
        });
  }

  /** Delivers held events one after the other. @returns the ids in the order of delivery */
  async release(reversed: boolean): Promise<string[]> {
    const events = reversed ? this.held.toReversed() : this.held;
    this.held = [];
    for (const { account, event } of events) await this.deliver(account, event);
    return events.map(({ event }) => event.id);
  }

  async deliver(account: string, event: PaymentEvent, distortion?: Distortion): Promise<DeliveryAttempt[]> {
    const attempts = [];
    for (const endpoint of this.endpointsFor(account, event.type))
      attempts.push(await this.attempt(endpoint, event, distortion));
    return attempts;
  }

  stop(): void {
    this.retries.stop();
    this.held = [];
    this.attempts.length = 0;
  }

  private async attempt(
    { endpoint, secrets }: SecretEndpoint,
    event: PaymentEvent,
    { forged, ageSeconds = 0 }: Distortion = {},
  ): Promise<DeliveryAttempt> {
    const body = JSON.stringify(event, null, 2);
    const seconds = Math.floor(this.clock.now().getTime() / 1000) - ageSeconds;
    const sent = forged === 'body' ? body.replace('"livemode": false', '"livemode": true') : body;
    const { status, text } = await postWebhook(endpoint.url, sent, {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': signatureOf(
        body,
        seconds,
        forged === 'secret' ? ['whsec_of_somebody_else'] : secrets,
      ),
    });
    const attempt = { event: event.id, endpoint: endpoint.id, status, body: text };
    this.attempts.push(attempt);
    if (this.attempts.length > MAX_ATTEMPTS) this.attempts.shift();
    return attempt;
  }
}

/** `t=<seconds>,v1=<hex>`; one v1 for each secret during a rotation. */
function signatureOf(body: string, seconds: number, secrets: readonly string[]): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  );
  return [`t=${seconds}`, ...signatures].join(',');
}
