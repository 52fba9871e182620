import { randomUUID } from 'node:crypto';
import { type EmailWorld, newAddress } from './email-world.js';

type Headers = Record<string, string>;
type Json = ReturnType<typeof JSON.parse>;
type Provider = 'resend' | 'smtp';

/** An organization with a verified domain, a default sender and a credential of its own. */
export class OwnAccount {
  /** Of its account at the Resend of the sandbox, and the label of its credential. */
  readonly name = `own-${randomUUID()}`;
  readonly key = `re_${randomUUID().replaceAll('-', '')}`;
  readonly domain = `${randomUUID().slice(0, 8)}.example`;
  readonly address = `hello@${this.domain}`;
  readonly admin: Headers;
  headers: Headers = {};
  credentialId = '';
  senderId = '';

  private constructor(
    private readonly world: EmailWorld,
    private readonly organizationId: string,
  ) {
    this.admin = world.admin(organizationId);
  }

  /** @param provider `smtp`: its mail server does not exist, because the one of the sandbox has no public address */
  static async open(world: EmailWorld, provider: Provider = 'resend'): Promise<OwnAccount> {
    const own = new OwnAccount(world, randomUUID());
    own.headers = await world.service(own.organizationId);
    await world.mail.resendAccount(own.name, own.key);
    await world.mail.resendDomain(own.key, own.domain);
    own.credentialId = (await own.addCredential(provider)).id;
    await own.addSender(provider);
    return own;
  }

  /** The message as the response has it. */
  send(body: object = {}, key?: string): Promise<Json> {
    return this.world.send(this.headers, { to: [{ address: newAddress() }], ...body }, key);
  }

  addCredential(provider: Provider = 'resend'): Promise<Json> {
    const server = { host: 'mail.acme.invalid', port: 465, user: 'acme', password: 'password of acme' };
    const secret = provider === 'smtp' ? server : { key: this.key };
    return this.post('/api/credentials', { provider, label: this.name, secret }, 201);
  }

  rotate(key: string): Promise<Json> {
    return this.post(`/api/credentials/${this.credentialId}/rotate`, { secret: { key } }, 200);
  }

  async disable(): Promise<void> {
    const path = `/api/credentials/${this.credentialId}`;
    await this.world.http.patch(path).set(this.admin).send({ enabled: false }).expect(200);
  }

  async delete(): Promise<void> {
    await this.world.http.delete(`/api/credentials/${this.credentialId}`).set(this.admin).expect(204);
  }

  private async addSender(provider: Provider): Promise<void> {
    const { id: domainId, record } = await this.post(
      '/api/email/domains',
      { name: this.domain, provider },
      201,
    );
    await this.world.mail.sandbox.control('PUT', `/dns/${record.name}`, { txt: [record.value] });
    const { status } = await this.post(`/api/email/domains/${domainId}/verify`, {}, 200);
    if (status !== 'verified') throw new Error(`The domain is ${status}.`);
    const sender = { domainId, name: 'Acme', address: this.address, isDefault: true };
    this.senderId = (await this.post('/api/email/senders', sender, 201)).id;
  }

  private async post(path: string, body: object, status: number): Promise<Json> {
    return (await this.world.http.post(path).set(this.admin).send(body).expect(status)).body;
  }
}
