import { type AddressInfo, createServer, type Server } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { EmailCredential } from '../../shared/email-credentials.js';
import type { OutboxMessage } from '../delivery.types.js';
import { SmtpSender } from './smtp-sender.js';
import { SmtpSession } from './smtp-session.js';

const HOST = 'mail.example.com';
const LIMITS = { connectMs: 2_000, replyMs: 2_000 };
const MESSAGE = Buffer.from('Subject: Hello\r\n\r\nGood day\r\n');

const MAIL = {
  ...{ fromName: 'Ada', fromAddress: 'a@example.com', replyTo: null, subject: 'Hello', text: 'Good day' },
  ...{ html: null, headers: {}, messageId: '<1@example.com>', createdAt: new Date(0), recipients: [] },
};
const GOOD: Readonly<Record<string, string>> = {
  ...{ EHLO: '250-hello\r\n250 AUTH PLAIN', AUTH: '235 Welcome', MAIL: '250 Ok', RCPT: '250 Ok' },
  ...{ DATA: '354 Go on', '.': '250 Ok' },
};

describe('a session with a mail server', () => {
  const logins: string[] = [];
  const commands: string[] = [];
  const closing: (() => void)[] = [];
  // The server of the tests warns about its own certificate.
  beforeEach(() => void jest.spyOn(console, 'error').mockReturnValue());
  afterEach(() => {
    logins.length = commands.length = 0;
    for (const close of closing.splice(0)) close();
  });

  const smtpServer = (options: object): Promise<number> => {
    const server = new SMTPServer({
      allowInsecureAuth: true,
      closeTimeout: 1,
      onAuth: ({ username = '' }, _session, done) => {
        logins.push(username);
        done(null, { user: username });
      },
      ...options,
    });
    server.on('error', () => undefined);
    closing.push(() => void server.close());
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.server.address() as AddressInfo).port));
    });
  };
  const rawServer = (
    talk: (line: string, write: (text: string) => void) => void,
    greet = (write: (text: string) => void): void => write('220 hello\r\n'),
  ): Promise<number> => {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined);
      closing.push(() => socket.destroy());
      const write = (text: string): void => void (socket.writable && socket.write(text));
      greet(write);
      socket.on('data', (chunk: Buffer) => {
        for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
          commands.push(line);
          talk(line, write);
        }
      });
    });
    closing.push(() => server.close());
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  };
  /** The name exists nowhere: only the given address can be connected to. */
  const send = (port: number, secure = false, limits = LIMITS) => {
    const server = { host: HOST, address: '127.0.0.1', port, secure, user: 'ada', password: 'secret' };
    const session = new SmtpSession(server, limits, 'client.example.com');
    return session.send('a@example.com', ['b@example.com'], MESSAGE, () => Promise.resolve(true));
  };

  it('sends no password to a server without STARTTLS, unless it is this machine', async () => {
    const outcome = await send(await smtpServer({ disabledCommands: ['STARTTLS'] }));
    expect(outcome).toMatchObject({ kind: 'not-sent', detail: expect.stringContaining('STARTTLS') });
    expect(logins).toEqual([]);
  });

  it.each([false, true])(
    'sends no password to a server with an untrusted certificate (TLS at once: %s)',
    async (secure) => {
      const outcome = await send(await smtpServer({ secure }), secure);
      expect(outcome).toMatchObject({
        kind: 'not-sent',
        detail: expect.stringMatching(/certificate|expired|self.signed/i),
      });
      expect(logins).toEqual([]);
    },
  );

  it('connects to the address and names the host to TLS, whose certificate must be of the host', async () => {
    const named: (string | false)[] = [];
    const SNICallback = (servername: string, done: (error: Error | null) => void) => {
      named.push(servername);
      done(null);
    };
    await send(await smtpServer({ secure: true, SNICallback }), true);
    await send(await smtpServer({ SNICallback }));
    expect(named).toEqual([HOST, HOST]);
  });

  it('does not accept plain text that a stranger put in front of the reply to STARTTLS', async () => {
    const port = await rawServer((line, write) => {
      if (line.startsWith('EHLO')) write('250-hello\r\n250 STARTTLS\r\n');
      else if (line.startsWith('STARTTLS')) write('220 go\r\n250 AUTH PLAIN\r\n235 ok\r\n');
    });
    expect(await send(port)).toMatchObject({ kind: 'not-sent' });
    expect(commands.filter((line) => line.startsWith('AUTH'))).toEqual([]);
  });

  it('ends when a server keeps each reply unfinished by single bytes', async () => {
    let drip: NodeJS.Timeout | undefined;
    const port = await rawServer((line, write) => {
      if (line.startsWith('EHLO')) drip ??= setInterval(() => write('2'), 20);
    });
    const outcome = await send(port, false, { connectMs: 100, replyMs: 100 });
    clearInterval(drip);
    expect(outcome).toMatchObject({ kind: 'not-sent', detail: expect.stringContaining('too long') });
  });

  const sessionWith = (port: number, limits = LIMITS): SmtpSession => {
    const server = { host: '127.0.0.1', port, secure: false, user: 'ada', password: 'secret' };
    return new SmtpSession(server, limits, 'client.example.com');
  };
  const sendIn = (session: SmtpSession) =>
    session.send('a@example.com', ['b@example.com'], MESSAGE, () => Promise.resolve(true));

  /** A server that answers each command by its first word; `.` is the end of the content. */
  const scripted = async (replies: Readonly<Record<string, string>>) => {
    const all: Record<string, string> = { ...GOOD, ...replies };
    const port = await rawServer((line, write) => {
      const reply = all[line.split(' ', 1)[0] ?? ''];
      if (reply !== undefined) write(`${reply}\r\n`);
    });
    const session = sessionWith(port);
    const outcome = await sendIn(session);
    return { outcome, isSignedIn: session.isSignedIn };
  };

  it.each(['Ok: queued', '354 Go on', '150 Wait', '399 Odd', '600 Odd', '4511 Odd', '0 Odd'])(
    'leaves the message in doubt when the reply to its content is "%s": the server has all of it',
    async (reply) => {
      const { outcome } = await scripted({ '.': reply });
      expect(outcome).toMatchObject({ kind: 'uncertain', accepted: ['b@example.com'] });
    },
  );

  it.each(['400 Later', '451 4.3.0 Later', '554 No', '599 No'])(
    'knows from the reply "%s" that the content was not accepted',
    async (reply) => {
      const { outcome } = await scripted({ '.': reply });
      expect(outcome).toMatchObject({ kind: 'refused', reply: { code: Number(reply.slice(0, 3)) } });
    },
  );

  it.each([
    ['454 4.7.0 Temporary authentication failure', false],
    ['535 5.7.8 Authentication failed', true],
  ])('takes the login reply "%s" for a refusal of the credential: %s', async (reply, isLogin) => {
    const { outcome, isSignedIn } = await scripted({ AUTH: reply });
    expect([outcome, isSignedIn]).toMatchObject([{ kind: 'not-sent', isLogin }, false]);
  });

  it('tells that the credential was accepted when all recipients are refused', async () => {
    const { outcome, isSignedIn } = await scripted({ RCPT: '550 5.1.1 No such user' });
    expect([outcome, isSignedIn]).toMatchObject([{ kind: 'refused' }, true]);
  });

  it.each([
    ['greeting', 'not-sent'],
    ['EHLO', 'not-sent'],
    ['AUTH', 'not-sent'],
    ['MAIL', 'not-sent'],
    ['DATA', 'not-sent'],
    ['.', 'uncertain'],
  ])('that is aborted while the server is silent after %s ends at once: %s', async (silent, kind) => {
    const reached = Promise.withResolvers<void>();
    const port = await rawServer(
      (line, write) => {
        const word = line.split(' ', 1)[0] ?? '';
        if (word === silent) reached.resolve();
        else if (word in GOOD) write(`${GOOD[word]}\r\n`);
      },
      (write) => (silent === 'greeting' ? reached.resolve() : write('220 hello\r\n')),
    );
    const session = sessionWith(port, { connectMs: 60_000, replyMs: 60_000 });
    const outcome = sendIn(session);
    await reached.promise;
    session.abort();
    expect(await outcome).toMatchObject({ kind });
  });

  it('that is aborted before it begins does not connect', async () => {
    const greet = jest.fn();
    const session = sessionWith(await rawServer(() => undefined, greet));
    session.abort();
    expect(await sendIn(session)).toMatchObject({ kind: 'not-sent' });
    expect(greet).not.toHaveBeenCalled();
  });

  const newSender = (): SmtpSender =>
    new SmtpSender({ connectTimeoutMs: 100, replyTimeoutMs: 100 } as never, undefined as never);
  const sendBy = (sender: SmtpSender, host: string, port: number, organizationId: string | null) => {
    const secret = { host, port, secure: false, user: 'ada', password: 'secret' };
    const credential: EmailCredential = {
      ...{ id: 'c', organizationId, sealed: 'x' },
      secret: JSON.stringify(secret),
    };
    const recipient = {
      position: 0,
      kind: 'to' as const,
      name: null,
      address: 'b@example.com',
      state: 'queued' as const,
    };
    const recipients = [{ ...recipient, isSuppressed: false }];
    const message = MAIL as unknown as OutboxMessage;
    return sender.send(message, recipients, credential, () => Promise.resolve(true));
  };

  it('is not opened to a host of an organization whose address is not public when it is connected to', async () => {
    const outcome = await sendBy(newSender(), 'localhost', await smtpServer({}), 'o');
    expect(outcome).toMatchObject({
      results: [{ state: 'queued', detail: 'The mail server has no public address.' }],
    });
    expect(logins).toEqual([]);
  });

  it('is not opened after all were aborted at shutdown: the message stays queued', async () => {
    const greet = jest.fn();
    const port = await rawServer(() => undefined, greet);
    const sender = newSender();
    sender.abort();
    const outcome = await sendBy(sender, '127.0.0.1', port, null);
    expect(outcome).toMatchObject({ results: [{ state: 'queued' }] });
    expect(greet).not.toHaveBeenCalled();
  });
});
