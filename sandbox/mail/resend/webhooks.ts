import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface WebhookTarget {
  readonly url: string;
  /** `whsec_` and base64. */
  readonly secret: string;
}

export interface ResendEvent {
  readonly type: string;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One event and its deliveries. */
export interface SentWebhook {
  readonly id: string;
  readonly event: ResendEvent;
  /** Of each response; 0: none came. */
  readonly statuses: number[];
}

export interface DeliveryOptions {
  /** Seconds added to the time in the signature. */
  readonly shiftSeconds?: number;
  /** Signed with another secret. */
  readonly forged?: boolean;
}

const RETRIES_MS = [250, 1_000, 5_000, 30_000];
const KEPT = 2_000;

/** Sends signed events as svix does: `svix-id`, `svix-timestamp`, `svix-signature` (docs.svix.com/receiving/verifying-payloads/how-manual). */
export class Webhooks {
  target: WebhookTarget | null;
  private sent: SentWebhook[] = [];
  private readonly ending = new AbortController();

  constructor(
    private readonly initial: WebhookTarget | null,
    private readonly now: () => Date,
  ) {
    this.target = initial;
  }

  get all(): readonly SentWebhook[] {
    return this.sent;
  }

  find(id: string): SentWebhook | undefined {
    return this.sent.find((webhook) => webhook.id === id);
  }

  /** Sends it in the background and repeats what is not answered with 2xx. */
  send(event: ResendEvent): void {
    if (this.target === null) return;
    const webhook = this.remember(event);
    void this.deliverUntilAccepted(webhook);
  }

  /** One delivery now. @returns the status of the response; 0: none came */
  async deliver(webhook: SentWebhook, options: DeliveryOptions = {}): Promise<number> {
    if (this.target === null) return 0;
    const status = await this.post(webhook, this.target, options);
    webhook.statuses.push(status);
    return status;
  }

  remember(event: ResendEvent): SentWebhook {
    const webhook = { id: `msg_${randomBytes(18).toString('base64url')}`, event, statuses: [] };
    this.sent.push(webhook);
    if (this.sent.length > KEPT) this.sent.shift();
    return webhook;
  }

  clear(): void {
    this.sent = [];
    this.target = this.initial;
  }

  close(): void {
    this.ending.abort();
  }

  private async deliverUntilAccepted(webhook: SentWebhook): Promise<void> {
    for (const wait of [0, ...RETRIES_MS]) {
      const isWaiting = await sleep(wait, true, { ref: false, signal: this.ending.signal }).catch(
        () => false,
      );
      if (!isWaiting) return;
      const status = await this.deliver(webhook);
      if (status >= 200 && status < 300) return;
    }
  }

  private async post(
    { id, event }: SentWebhook,
    target: WebhookTarget,
    options: DeliveryOptions,
  ): Promise<number> {
    const body = JSON.stringify(event);
    const timestamp = String(Math.floor(this.now().getTime() / 1000) + (options.shiftSeconds ?? 0));
    const secret = options.forged ? randomBytes(24).toString('base64') : target.secret.replace(/^whsec_/, '');
    const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
    const headers = {
      'content-type': 'application/json',
      'svix-id': id,
      'svix-timestamp': timestamp,
      'svix-signature': `v1,${signature}`,
    };
    const signal = AbortSignal.any([this.ending.signal, AbortSignal.timeout(15_000)]);
    const options_ = { method: 'POST', headers, body, signal, redirect: 'manual' as const };
    return fetch(target.url, options_).then(
      ({ status }) => status,
      () => 0,
    );
  }
}
