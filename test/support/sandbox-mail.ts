import { SandboxForTests } from './sandbox.js';

export interface AcceptedEffect {
  readonly text: string;
  /** Of the account that sent it. */
  readonly account: { readonly id: string };
  readonly recipients: readonly string[];
  readonly answered: string;
}

/** The mail server, the mailboxes and the Resend of a sandbox. */
export class SandboxMailForTests {
  readonly user = 'sandbox';
  readonly password = 'sandbox-mail-password';
  readonly resendKey = 're_sandbox_0123456789abcdef';

  constructor(readonly sandbox: SandboxForTests) {}

  static async start(): Promise<SandboxMailForTests> {
    return new SandboxMailForTests(await SandboxForTests.start());
  }

  async port(): Promise<number> {
    return ((await this.sandbox.control('GET', '/mail')).body as { smtp: { port: number } }).smtp.port;
  }

  async fault(fault: object): Promise<void> {
    const { status, body } = await this.sandbox.control('POST', '/mail/faults', fault);
    if (status !== 201) throw new Error(`No fault: ${JSON.stringify(body)}`);
  }

  async recipient(address: string, behaviour: string, times?: number): Promise<void> {
    const path = `/mail/recipients/${encodeURIComponent(address)}`;
    const { status, body } = await this.sandbox.control('PUT', path, { behaviour, times });
    if (status !== 200) throw new Error(`No behaviour: ${JSON.stringify(body)}`);
  }

  /** What the ledger counts: one entry for each accepted message. */
  accepted(): Promise<AcceptedEffect[]> {
    return this.sandbox.ledger('?kind=mail.accepted') as Promise<AcceptedEffect[]>;
  }

  /** The newest message to an address, as the mailbox shows it. */
  async newest(to: string): Promise<ReturnType<typeof JSON.parse>> {
    const path = `/mail/messages?to=${encodeURIComponent(to)}`;
    const { data } = (await this.sandbox.control('GET', path)).body as { data: { id: string }[] };
    const found = data.at(-1);
    return found && (await this.sandbox.call('GET', `/mailbox/${found.id}/json`)).body;
  }

  /** Opens an account at Resend in addition to that of `resendKey`, which is named `resend`. */
  async resendAccount(name: string, key: string): Promise<void> {
    const { status, body } = await this.sandbox.control('PUT', `/resend/accounts/${name}`, { key });
    if (status !== 200) throw new Error(`No account: ${JSON.stringify(body)}`);
  }

  /** Adds a verified domain to the account of the key. */
  async resendDomain(key: string, name: string): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { headers, body: JSON.stringify({ name }) };
    const { status, body } = await this.sandbox.call('POST', '/resend/domains', init);
    if (status !== 201) throw new Error(`No domain: ${JSON.stringify(body)}`);
    await this.sandbox.call('POST', `/resend/domains/${body.id}/verify`, { headers });
  }

  reset(): Promise<unknown> {
    return this.sandbox.control('POST', '/reset');
  }
}
