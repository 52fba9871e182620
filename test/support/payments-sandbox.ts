import Stripe from 'stripe';
import type { SandboxForTests } from './sandbox.js';

interface Effect {
  readonly kind: string;
  readonly id: string;
  readonly text: string | null;
  readonly hints: Readonly<Record<string, string>>;
  readonly answered: string;
}

interface SandboxEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: { readonly id: string } };
  readonly request: { readonly idempotency_key: string | null };
}

/** The payment provider of a sandbox, and clients of it. */
export class PaymentsSandbox {
  private constructor(
    private readonly sandbox: SandboxForTests,
    /** Without a slash at the end. */
    readonly url: string,
    /** Of the account that exists from the start. */
    readonly secretKey: string,
  ) {}

  static async of(sandbox: SandboxForTests): Promise<PaymentsSandbox> {
    const { body } = await sandbox.control('GET', '/payments/accounts');
    const { url, data } = body as { url: string; data: { secretKeys: string[] }[] };
    return new PaymentsSandbox(sandbox, url, data[0]?.secretKeys[0] ?? '');
  }

  client(secretKey = this.secretKey): Stripe {
    const { hostname, port } = new URL(this.url);
    return new Stripe(secretKey, {
      host: hostname,
      port: Number(port),
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
    });
  }

  async newAccount(name: string): Promise<{ readonly id: string; readonly secretKey: string }> {
    const { body } = await this.sandbox.control('POST', '/payments/accounts', { name });
    const { id, secretKeys } = body as { id: string; secretKeys: string[] };
    return { id, secretKey: secretKeys[0] ?? '' };
  }

  /** A new key of the account. @param how `keepOld`: the former ones still work; `restricted`: it may not read the account */
  async rollKey(accountId: string, how: { keepOld?: boolean; restricted?: boolean } = {}): Promise<string> {
    const { body } = await this.sandbox.control('POST', `/payments/accounts/${accountId}/roll-key`, how);
    return (body as { secretKeys: string[] }).secretKeys[0] ?? '';
  }

  async effects(kind?: string): Promise<readonly Effect[]> {
    const filter = kind === undefined ? '' : `&kind=payment.${kind}`;
    const { body } = await this.sandbox.control('GET', `/ledger?network=payments${filter}`);
    return (body as { data: Effect[] }).data;
  }

  async events(type?: string): Promise<readonly SandboxEvent[]> {
    const { body } = await this.sandbox.control('GET', '/payments/events');
    return (body as { data: SandboxEvent[] }).data.filter((each) => type === undefined || each.type === type);
  }

  async deliver(
    event: string,
    distortion: object = {},
  ): Promise<readonly { status: number; body: string }[]> {
    const { body } = await this.sandbox.control('POST', `/payments/events/${event}/deliver`, distortion);
    return (body as { data: { status: number; body: string }[] }).data;
  }

  /** What a person does at the provider or at a bank: `refund` or `dispute`. */
  act(intent: string, action: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const path = `/payments/payment-intents/${intent}/${action}`;
    return this.sandbox.control('POST', path);
  }

  /** What a person does on the checkout page. @returns the response, not followed */
  async pay(url: string, card: 'accepted' | 'declined' = 'accepted'): Promise<Response> {
    return fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ card, decision: 'pay' }),
    });
  }
}
