import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '#libs/clock';
import { postWebhook, WebhookRetries } from '../../wire/webhook.js';
import type { Behaviour } from '../delivery/mail-delivery.js';
import type { ResendEmail } from './accounts.js';

interface WebhookTarget {
  readonly url: string;
  /** `whsec_` and base64. */
  readonly secret: string;
}

interface ResendEvent {
  readonly type: string;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface SentWebhook {
  readonly id: string;
  readonly event: ResendEvent;
  /** Of each response; 0: none came. */
  readonly statuses: number[];
}

interface DeliveryOptions {
  /** Seconds added to the time in the signature. */
  readonly shiftSeconds?: number;
  readonly forged?: boolean;
}

const RETRIES_MS = [250, 1_000, 5_000, 30_000];
const KEPT = 2_000;

/** Sends signed events as svix does: `svix-id`, `svix-timestamp`, `svix-signature` (docs.svix.com/receiving/verifying-payloads/how-manual). */
export class Webhooks {
  target: WebhookTarget | null;
  private sent: SentWebhook[] = [];
  private readonly retries = new WebhookRetries(RETRIES_MS);

  constructor(
    private readonly initial: WebhookTarget | null,
    private readonly clock: Clock,
  ) {
    this.target = initial;
  }

  get all(): readonly SentWebhook[] {
    return this.sent;
  }

  /** Sends it in the background and repeats what is not answered with 2xx. */
  send(event: ResendEvent): void {
    if (this.target === null) return;
    const webhook = this.remember(event);
    this.retries.start(() => this.deliver(webhook));
  }

  /** One delivery now. @returns the status of the response; 0: none came */
  async deliver(
    { id, event, statuses }: SentWebhook,
    { shiftSeconds = 0, forged = false }: DeliveryOptions = {},
  ): Promise<number> {
    if (this.target === null) return 0;
    const body = JSON.stringify(event);
    const timestamp = String(Math.floor(this.clock.now().getTime() / 1000) + shiftSeconds);
    const secret = forged ? randomBytes(24).toString('base64') : this.target.secret.replace(/^whsec_/, '');
    const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
    const { status } = await postWebhook(this.target.url, body, {
      'content-type': 'application/json',
      'svix-id': id,
      'svix-timestamp': timestamp,
      'svix-signature': `v1,${signature}`,
    });
    statuses.push(status);
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
    this.retries.stop();
  }
}

/** What becomes of a message for one recipient. The addresses of resend.dev are documented for tests. */
export function outcomeOf(address: string, behaviour: Behaviour): { type: string; bounce?: object } {
  const [local = '', domain] = address.toLowerCase().split('@');
  const test = domain === 'resend.dev' ? (local.split('+')[0] ?? '') : '';
  if (test === 'complained') return { type: 'email.complained' };
  if (test === 'suppressed') return { type: 'email.suppressed' };
  const bounced = (...of: Parameters<typeof bounce>) => ({ type: 'email.bounced', bounce: bounce(...of) });
  if (test === 'bounced' || behaviour === 'unknown' || behaviour === 'disabled')
    return bounced('Permanent', 'General', 'smtp; 550 5.1.1 user unknown');
  if (behaviour === 'full') return bounced('Transient', 'MailboxFull', 'smtp; 452 4.2.2 mailbox full');
  if (behaviour === 'policy') return bounced('Undetermined', 'Undetermined', 'smtp; 550 5.7.1 policy');
  return { type: 'email.delivered' };
}

export const bounce = (type: string, subType: string, code: string): object => ({
  type,
  subType,
  message: "The recipient's email server rejected the message.",
  diagnosticCode: [code],
});

/** @param to the recipients that the event is about */
export const eventOf = (
  { id, createdAt, from, subject }: Pick<ResendEmail, 'id' | 'createdAt' | 'from' | 'subject'>,
  to: readonly string[],
  at: Date,
  { type, ...more }: { readonly type: string; readonly bounce?: object },
): ResendEvent => ({
  type,
  created_at: at.toISOString(),
  data: { email_id: id, created_at: createdAt, from, to: [...to], subject, ...more },
});
