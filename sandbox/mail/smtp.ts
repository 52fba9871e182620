import { timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { SANDBOX_MAILBOX } from '../credentials.js';
import type { MailDelivery } from './delivery/mail-delivery.js';
import type { SmtpFault } from './delivery/smtp-faults.js';

const MAX_BYTES = 30_000_000;
const BEFORE = ['reset-before-data', 'close-before-data'] as const;
const AFTER = [
  'reset-after-message',
  'close-after-message',
  'silence-after-message',
  'cut-reply',
  'refuse-message',
  'slow-reply',
] as const;

type Done = (error?: Error | null, reply?: string) => void;

/** Any mail server on the Internet, for one sender: it asks for a login, and nothing that it accepts is delivered. */
export class SandboxSmtp {
  private readonly server: SMTPServer;

  constructor(private readonly office: MailDelivery) {
    this.server = new SMTPServer({
      name: 'mail.sandbox.invalid',
      size: MAX_BYTES,
      rejectOversized: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: true,
      // Longer than any client waits for the reply to a message (RFC 5321, section 4.5.3.2.6).
      socketTimeout: 15 * 60_000,
      closeTimeout: 1,
      logger: false,
      onAuth: ({ username = '', password }, _session, done) => {
        const refusal = office.faults.take(['refuse-login'], []);
        if (refusal) return done(replying(refusal.code, refusal.text));
        if (!isSame(username, SANDBOX_MAILBOX.user) || !isSame(password ?? '', SANDBOX_MAILBOX.password))
          return done(replying(535, '5.7.8 Authentication failed'));
        done(null, { user: username });
      },
      onMailFrom: (_address, _session, done) => {
        const refusal = office.faults.take(['refuse-sender'], []);
        done(refusal && replying(refusal.code, refusal.text));
      },
      onRcptTo: ({ address }, session, done) => {
        if (office.faults.take(['silence-before-data'], [address])) return;
        const reply = office.recipients.reply(senderOf(session), address);
        done(reply && replying(reply.code, reply.text));
      },
      onData: (stream, session, done) => this.receive(stream, session, done),
    });
    // A client that resets its connection is no failure of the sandbox.
    this.server.on('error', () => undefined);
  }

  /** @returns the port */
  listen(port: number): Promise<number> {
    const { ownPort, host } = this.office.world;
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(ownPort(port), host, () => {
        this.server.off('error', reject);
        resolve((this.server.server.address() as AddressInfo).port);
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      for (const { _socket: socket } of this.server.connections) socket.destroy();
      this.server.close(() => resolve());
    });
  }

  private receive(stream: SMTPServerDataStream, session: SMTPServerSession, done: Done): void {
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    const before = this.office.faults.take(BEFORE, recipients);
    if (before) {
      stream.resume();
      return this.drop(session, before.kind === 'reset-before-data');
    }
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    stream.on('end', () => {
      if (stream.sizeExceeded) return done();
      const raw = Buffer.concat(chunks).toString('latin1');
      void this.conclude(raw, recipients, session, done);
    });
  }

  private async conclude(
    raw: string,
    recipients: readonly string[],
    session: SMTPServerSession,
    done: Done,
  ): Promise<void> {
    const fault = this.office.faults.take(AFTER, recipients);
    if (fault?.kind === 'refuse-message') return done(replying(fault.code, fault.text));
    const isAccepted = fault?.accepted ?? true;
    if (isAccepted) {
      const mail = { via: 'smtp' as const, from: senderOf(session), recipients, raw };
      const withheld = fault && fault.kind !== 'slow-reply' ? fault.kind : undefined;
      this.office.accept(mail, String(session.user), withheld);
    }
    if (!fault) return done(null, '2.0.0 Ok: queued');
    await this.disturb(fault, session, done);
  }

  private async disturb(fault: SmtpFault, session: SMTPServerSession, done: Done): Promise<void> {
    switch (fault.kind) {
      case 'slow-reply':
        await sleep(fault.delayMs);
        return done(null, '2.0.0 Ok: queued');
      case 'cut-reply':
        return void this.socketOf(session)?.end('250 2.0');
      case 'silence-after-message':
        return;
      default:
        return this.drop(session, fault.kind === 'reset-after-message');
    }
  }

  private drop(session: SMTPServerSession, isReset: boolean): void {
    const socket = this.socketOf(session);
    if (isReset) socket?.resetAndDestroy();
    else socket?.destroy();
  }

  private socketOf({ id }: SMTPServerSession): Socket | undefined {
    return [...this.server.connections].find((connection) => connection.session.id === id)?._socket;
  }
}

const senderOf = ({ envelope: { mailFrom } }: SMTPServerSession): string =>
  mailFrom === false ? '' : mailFrom.address;

const replying = (responseCode: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode });

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
