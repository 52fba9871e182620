import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import SMTPConnection, {
  type SMTPConnectionEnvelope,
  type SMTPConnectionSendInfo,
} from 'nodemailer/lib/smtp-connection';
import type { NodemailerError } from 'nodemailer/lib/errors';
import { needsUtf8 } from '../../shared/addresses.js';
import {
  isContentRefusal,
  isLoginRefusal,
  refusedIn,
  type SignInOutcome,
  type SmtpOutcome,
  type SmtpReply,
} from './smtp-outcome.js';

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
  private readonly ended = Promise.withResolvers<never>();
  /** The server accepted the credential, whatever becomes of the message. */
  isSignedIn = false;

  constructor(
    private readonly server: SmtpServer,
    private readonly limits: SmtpTimeouts,
    private readonly name: string,
  ) {
    this.ended.promise.catch(() => undefined);
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
    const timer = this.deadline();
    try {
      await this.open();
      this.isSignedIn = true;
      const international = this.supportsUtf8 ? [] : to.filter(needsUtf8);
      const reachable =
        needsUtf8(from) && !this.supportsUtf8 ? [] : to.filter((one) => !international.includes(one));
      if (reachable.length === 0) return { kind: 'refused', reply: NO_UTF8, refused: [] };
      envelope.to = reachable;
      const info = await this.transmit(envelope, message, beforeData);
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
  private deadline(): NodeJS.Timeout {
    const milliseconds = this.limits.connectMs + 2 * this.limits.replyMs;
    return setTimeout(() => this.abort(new Error('The session took too long.')), milliseconds);
  }

  /** Connects, signs in and quits; sends no message. Never rejects. */
  async signIn(signal: AbortSignal): Promise<SignInOutcome> {
    const abort = () => this.abort(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await this.open();
      this.connection.quit();
      return { kind: 'accepted' };
    } catch (error) {
      this.abort();
      const { code, name, responseCode } = error as NodemailerError;
      return isLoginRefusal(error as NodemailerError)
        ? { kind: 'refused', code: String(responseCode) }
        : { kind: 'no-answer', code: code ?? name };
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Ends the connection, also in the middle of a message. nodemailer calls no callback then, so that what waits is rejected here. */
  abort(reason = new Error('The session was aborted.')): void {
    this.isClosed = true;
    this.ended.reject(reason);
    this.connection.close();
  }

  private get supportsUtf8(): boolean {
    const { _supportedExtensions: extensions } = this.connection as unknown as {
      _supportedExtensions: string[];
    };
    return extensions.includes('SMTPUTF8');
  }

  private open(): Promise<void> {
    if (this.isClosed) return this.ended.promise;
    const { user, password } = this.server;
    const opened = new Promise<void>((resolve, reject) => {
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
    return Promise.race([opened, this.ended.promise]);
  }

  private transmit(
    envelope: SMTPConnectionEnvelope,
    message: Buffer,
    beforeData: (accepted: readonly string[]) => Promise<boolean>,
  ): Promise<SMTPConnectionSendInfo> {
    const content = Readable.from([message], { objectMode: false });
    const pipe = content.pipe.bind(content);
    const withhold = (): void => {
      this.stage = 'withheld';
      this.abort(new Error('The message was withheld.'));
    };
    // The stage stays before the content: nothing was written, whatever became of the statement.
    const fail = (): void => this.abort(new Error('The beginning of the content could not be stored.'));
    const sent = new Promise<SMTPConnectionSendInfo>((resolve, reject) => {
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
    return Promise.race([sent, this.ended.promise]);
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
