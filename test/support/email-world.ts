import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { type Setting, setting } from '#libs/config/testing';
import { EmailConfig } from '../../src/platform/gateway/email/email.config.js';
import { type BootedGateway, bootGateway } from './boot-gateway.js';
import { SandboxMailForTests } from './sandbox-mail.js';
import { waitUntil } from './wait-until.js';

type Json = ReturnType<typeof JSON.parse>;

export const SENDER_ADDRESS = 'no-reply@platform.invalid';
export const WEBHOOK_SECRET = `whsec_${Buffer.from('webhook secret of the tests').toString('base64')}`;

const IMPATIENT = [
  setting(EmailConfig, { pollMs: 20, leaseMs: 1_000, retryFirstMs: 30, replyTimeoutMs: 700 }),
];

/** The gateway with the mail server, the Resend and the DNS of a sandbox. Retries follow at once. */
export class EmailWorld {
  private constructor(
    readonly mail: SandboxMailForTests,
    readonly gateway: BootedGateway,
  ) {}

  /** @param provider of the platform's domain */
  static async start(
    provider: 'smtp' | 'resend' = 'smtp',
    overrides: Readonly<Record<string, string>> = {},
    settings: readonly Setting[] = [],
  ): Promise<EmailWorld> {
    const mail = await SandboxMailForTests.start();
    const { url } = mail.sandbox;
    const environment = {
      EMAIL_PLATFORM_SENDER: `The platform <${SENDER_ADDRESS}>`,
      EMAIL_PLATFORM_PROVIDER: provider,
      RESEND_URL: `${url}/resend`,
      DNS_QUERY_URL: `${url}/dns/resolve`,
      NETWORK_TIMEOUT_MS: '700',
      RATE_LIMIT_PER_MINUTE: '100000',
      ...overrides,
    };
    const gateway = await bootGateway('http://127.0.0.1:1', environment, [], [...IMPATIENT, ...settings]);
    const world = new EmailWorld(mail, gateway);
    await world.addPlatformCredentials();
    return world;
  }

  async stop(): Promise<void> {
    await this.gateway.close();
    await this.mail.sandbox.stop();
  }

  get http() {
    return request(this.gateway.service.url);
  }

  /** Headers of a service for an organization. */
  service(organizationId: string = randomUUID(), application?: string): Promise<Record<string, string>> {
    return this.gateway.headers({ organizationId, application });
  }

  /** Headers of a person with the scope org.admin. */
  admin(organizationId: string): Record<string, string> {
    const organizations = [
      { id: organizationId, role: 'admin', scopes: ['org.admin', 'provider_credentials.manage'] },
    ];
    return { authorization: `Bearer ${this.gateway.identity.user({ organizations })}` };
  }

  platformAdmin(): Record<string, string> {
    const organizations = [{ id: randomUUID(), role: 'admin', isAdministrative: true }];
    const principalType = 'platform_super_admin' as const;
    return { authorization: `Bearer ${this.gateway.identity.user({ principalType, organizations })}` };
  }

  /** Sends to one address and returns the message as the response has it. */
  async send(headers: Record<string, string>, body: object = {}, key?: string): Promise<Json> {
    const call = this.http.post('/api/email/messages').set(headers);
    if (key !== undefined) call.set('Idempotency-Key', key);
    const response = await call.send({
      to: [{ address: newAddress() }],
      subject: 'Hello',
      text: 'Good day',
      ...body,
    });
    if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }

  async read(headers: Record<string, string>, id: string): Promise<Json> {
    return (await this.http.get(`/api/email/messages/${id}`).set(headers).expect(200)).body;
  }

  /** The message when none of its recipients is queued or being sent any more. */
  async settled(headers: Record<string, string>, id: string): Promise<Json> {
    let message: Json;
    await waitUntil(async () => {
      message = await this.read(headers, id);
      return message.recipients.every(
        ({ state }: { state: string }) => !['queued', 'sending'].includes(state),
      );
    });
    return message;
  }

  async sendAndSettle(headers: Record<string, string>, body: object = {}): Promise<Json> {
    return this.settled(headers, (await this.send(headers, body)).id as string);
  }

  /** How often the mail server and Resend accepted the message for the address. */
  async timesAccepted({ messageId }: { messageId: string }, address: string): Promise<number> {
    const accepted = await this.mail.accepted();
    return accepted.filter(({ text, recipients }) => text === messageId && recipients.includes(address))
      .length;
  }

  private async addPlatformCredentials(): Promise<void> {
    const { user, password, resendKey } = this.mail;
    const port = await this.mail.port();
    const secrets = {
      smtp: { host: '127.0.0.1', port, secure: false, user, password },
      resend: { key: resendKey, webhookSecrets: [WEBHOOK_SECRET] },
    };
    for (const [provider, secret] of Object.entries(secrets))
      await this.http
        .post('/api/credentials')
        .set(this.platformAdmin())
        .send({ scope: 'platform', provider, label: 'Sandbox', secret })
        .expect(201);
    const url = `${this.gateway.service.url}/api/email/webhooks/resend`;
    await this.mail.sandbox.control('PUT', '/resend/webhook', { url, secret: WEBHOOK_SECRET });
  }
}

/** An address that no other test uses. */
export const newAddress = (local = 'ada'): string => `${local}@${randomUUID().slice(0, 8)}.example.com`;

/** The state of each recipient, by address. */
export const statesOf = (message: Json): Record<string, string> =>
  Object.fromEntries(
    message.recipients.map(({ address, state }: { address: string; state: string }) => [address, state]),
  );
