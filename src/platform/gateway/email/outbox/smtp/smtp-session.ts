import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { SMTPConnectionEnvelope, SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { NodemailerError } from 'nodemailer/lib/errors';
import { needsUtf8 } from '../../addresses.js';
import type { SignInOutcome, SmtpOutcome, SmtpReply } from './smtp-outcome.js';
import { isContentRefusal, isLoginRefusal, refusedIn } from './smtp-outcome.js';

export interface SmtpServer {
  readonly host: string;
  /** What to connect to instead of the host. */
  readonly address?: string;
  readonly port: number;
  /** TLS from the start; otherwise STARTTLS, which is required unless the host is this machine. */
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
}

export interface SmtpTimeouts {
  readonly connectMs: number;
  /** For each reply, the one to the content included. 10 minutes (RFC 5321, section 4.5.3.2.6). */
  readonly replyMs: number;
}

/** RFC 6531, section 3.5. */
const NO_UTF8: SmtpReply = {
  code: 550,
  text: '550 5.6.7 The mail server does not support addresses beyond ASCII',
};

/**
 * One connection for one message. nodemailer reports a lost connection before and after the content in the same way, so the stage is
 * tracked here: it pipes the message after the 354, and `pipe` waits until the stage is stored.
 */
export class SmtpSession {
  private readonly connection: SMTPConnection;
  private stage: 'before-data' | 'withheld' | 'data' = 'before-data';
  private isClosed = false;
  /** The server accepted the credential, whatever becomes of the message. */
  isSignedIn = false;

  constructor(
    private readonly server: SmtpServer,
    private readonly limits: SmtpTimeouts,
    private readonly name: string,
  ) {
    const { connectMs, replyMs } = limits;
    const isLocal = server.host === 'localhost' || server.host === '::1' || /^127\./.test(server.host);
    this.connection = new SMTPConnection({
      host: server.address ?? server.host,
      port: server.port,
      secure: server.secure,
      requireTLS: !server.secure && !isLocal,
      name: this.name,
      connectionTimeout: connectMs,
      dnsTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: replyMs,
      tls: isIP(server.host) ? {} : { servername: server.host },
      logger: false,
    });
  }

  /** @param beforeData called after the 354 with the accepted recipients; nothing is written unless it gives true */
  async send(
    from: string,
    to: readonly string[],
    message: Buffer,
    beforeData: (accepted: readonly string[]) => Promise<boolean>,
  ): Promise<SmtpOutcome> {
    const envelope = { from, to: [...to] } as unknown as SMTPConnectionEnvelope;
    const { timer, reached } = this.deadline();
    try {
      await Promise.race([this.open(), reached]);
      this.isSignedIn = true;
      const international = this.supportsUtf8 ? [] : to.filter(needsUtf8);
      const reachable =
        needsUtf8(from) && !this.supportsUtf8 ? [] : to.filter((one) => !international.includes(one));
      if (reachable.length === 0) return { kind: 'refused', reply: NO_UTF8, refused: [] };
      envelope.to = reachable;
      const info = await Promise.race([this.transmit(envelope, message, beforeData), reached]);
      const refused = [...refusedIn(envelope), ...international.map((address) => ({ address, ...NO_UTF8 }))];
      this.connection.quit();
      return { kind: 'accepted', accepted: info.accepted, refused, reply: info.response };
    } catch (error) {
      this.abort();
      return this.outcomeOf(error as NodemailerError, envelope);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Each byte of a server restarts the time limit of its reply, so that a slow one could hold the session without end. */
  private deadline(): { timer: NodeJS.Timeout; reached: Promise<never> } {
    const { promise: reached, reject } = Promise.withResolvers<never>();
    reached.catch(() => undefined);
    const milliseconds = this.limits.connectMs + 2 * this.limits.replyMs;
    const timer = setTimeout(() => reject(new Error('The session took too long.')), milliseconds);
    return { timer, reached };
  }

  /** Connects, signs in and quits; sends no message. Never rejects. */
  async signIn(signal: AbortSignal): Promise<SignInOutcome> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await Promise.race([this.open(), aborted]);
      this.connection.quit();
      return { kind: 'accepted' };
    } catch (error) {
      this.connection.close();
      const { code, name, responseCode } = error as NodemailerError;
      return isLoginRefusal(error as NodemailerError)
        ? { kind: 'refused', code: String(responseCode) }
        : { kind: 'no-answer', code: code ?? name };
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Ends the connection, also in the middle of a message. */
  abort(): void {
    this.isClosed = true;
    this.connection.close();
  }

  /** What the server announced after EHLO. */
  private get supportsUtf8(): boolean {
    const { _supportedExtensions: extensions } = this.connection as unknown as {
      _supportedExtensions: string[];
    };
    return extensions.includes('SMTPUTF8');
  }

  private open(): Promise<void> {
    const { user, password } = this.server;
    return new Promise((resolve, reject) => {
      this.connection.once('error', reject);
      // An error after the outcome is known must not end the process.
      this.connection.on('error', () => undefined);
      this.connection.connect((failure) => {
        if (failure) return reject(failure);
        this.connection.login({ credentials: { user, pass: password } }, (refusal) =>
          refusal ? reject(refusal) : resolve(),
        );
      });
    });
  }

  private transmit(
    envelope: SMTPConnectionEnvelope,
    message: Buffer,
    beforeData: (accepted: readonly string[]) => Promise<boolean>,
  ): Promise<SMTPConnectionSendInfo> {
    const content = Readable.from([message], { objectMode: false });
    const pipe = content.pipe.bind(content);
    return new Promise((resolve, reject) => {
      const withhold = (): void => {
        this.stage = 'withheld';
        reject(new Error('The message was withheld.'));
        this.abort();
      };
      // The stage stays before the content: nothing was written, whatever became of the statement.
      const fail = (): void => {
        reject(new Error('The beginning of the content could not be stored.'));
        this.abort();
      };
      content.pipe = (target) => {
        beforeData(envelope.accepted).then((isAllowed) => {
          if (!isAllowed) return withhold();
          if (this.isClosed) return fail();
          this.stage = 'data';
          pipe(target);
        }, fail);
        return target;
      };
      this.connection.once('error', reject);
      this.connection.once('end', () => reject(new Error('The connection ended.')));
      const use8BitMime = message.some((byte) => byte > 127);
      this.connection.send(
        Object.assign(envelope, { use8BitMime, size: message.length }),
        content,
        (error, info) => (error ? reject(error) : resolve(info)),
      );
    });
  }

  private outcomeOf(error: NodemailerError, envelope: SMTPConnectionEnvelope): SmtpOutcome {
    const refused = refusedIn(envelope);
    const detail = `${error.code ?? error.name}: ${error.message}`.slice(0, 300);
    if (this.stage === 'withheld') return { kind: 'withheld' };
    if (this.stage === 'data' && !isContentRefusal(error))
      return { kind: 'uncertain', accepted: envelope.accepted, refused, detail };
    const { responseCode, response, code } = error;
    if (isLoginRefusal(error)) return { kind: 'not-sent', isLogin: true, detail };
    const isReply = (code === 'EMESSAGE' || code === 'EENVELOPE') && responseCode && response;
    // Commands are pipelined: after a refused sender, the replies to RCPT say only that there is no sender.
    const ofRecipients = error.command === 'MAIL FROM' ? [] : refused;
    return isReply
      ? { kind: 'refused', reply: { code: responseCode, text: response }, refused: ofRecipients }
      : { kind: 'not-sent', isLogin: false, detail };
  }
}
