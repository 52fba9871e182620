import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import { SandboxMailForTests } from '../support/sandbox-mail.js';
import { waitUntil } from '../support/wait-until.js';

const ONE = { from: 'shop@platform.invalid', to: 'ada@example.com', subject: 'Hello', text: 'Good day' };

describe('The mail server of the sandbox', () => {
  let mail: SandboxMailForTests;
  let port: number;

  beforeAll(async () => {
    mail = await SandboxMailForTests.start();
    port = await mail.port();
  });
  beforeEach(() => mail.reset());
  afterAll(() => mail.sandbox.stop());

  const send = async (message: object = {}, auth = { user: mail.user, pass: mail.password }) => {
    const transport = createTransport({ host: '127.0.0.1', port, auth, socketTimeout: 400 });
    try {
      return await transport.sendMail({ ...ONE, ...message });
    } finally {
      transport.close();
    }
  };

  it('accepts a message once and shows it with its parts', async () => {
    const sent = await send({
      subject: 'Grüße 🎈',
      html: '<b onclick="x()">Hi</b><script>alert(1)</script>',
    });

    expect(await mail.accepted()).toMatchObject([
      { kind: 'mail.accepted', text: sent.messageId, recipients: ['ada@example.com'], answered: 'yes' },
    ]);
    expect(await mail.newest('ada@example.com')).toMatchObject({
      subject: 'Grüße 🎈',
      text: 'Good day',
      html: expect.stringContaining('<b onclick'),
    });
  });

  it('shows HTML in a frame without scripts only', async () => {
    await send({ subject: '<script>alert(1)</script>', html: '<script>alert(1)</script>' });
    const { id } = await mail.newest('ada@example.com');

    const page = await mail.sandbox.call('GET', `/mailbox/${id}`);
    const framed = await mail.sandbox.call('GET', `/mailbox/${id}/html`);

    expect(page.body).toContain('<iframe sandbox="" src=');
    expect(page.body).not.toContain('<script>');
    expect(framed.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
  });

  it('refuses a wrong password', async () => {
    await expect(send({}, { user: mail.user, pass: 'wrong' })).rejects.toMatchObject({ code: 'EAUTH' });
    expect(await mail.accepted()).toEqual([]);
  });

  it('refuses some recipients and accepts the message for the others', async () => {
    const { accepted, rejectedErrors } = await send({
      to: 'ada@example.com, unknown@example.com, full@example.com, policy@example.com',
    });

    expect(accepted).toEqual(['ada@example.com']);
    expect(rejectedErrors?.map(({ response }) => response?.slice(0, 9))).toEqual([
      '550 5.1.1',
      '452 4.2.2',
      '550 5.7.1',
    ]);
    expect(await mail.accepted()).toMatchObject([{ recipients: ['ada@example.com'] }]);
  });

  it('greylists a sender once', async () => {
    await expect(send({ to: 'greylisted@example.com' })).rejects.toMatchObject({ responseCode: 451 });
    await send({ to: 'greylisted@example.com' });
    expect(await mail.accepted()).toHaveLength(1);
  });

  // reference/gateway-wire.md, section 3: what nodemailer reports.
  it.each([
    ['reset-before-data', { code: 'ESOCKET', command: 'CONN' }, 0],
    ['reset-after-message', { code: 'ESOCKET', command: 'CONN' }, 1],
    ['close-after-message', { code: 'ECONNECTION', command: 'CONN' }, 1],
    ['cut-reply', { code: 'ECONNECTION', command: 'CONN' }, 1],
    ['silence-after-message', { code: 'ETIMEDOUT', command: 'CONN' }, 1],
    ['refuse-message', { code: 'EMESSAGE', responseCode: 451 }, 0],
  ])('disturbs a session: %s', async (kind, error, accepted) => {
    await mail.fault({ kind });
    await expect(send()).rejects.toMatchObject(error);
    expect(await mail.accepted()).toHaveLength(accepted);
  });

  it('can lose a message together with the reply', async () => {
    await mail.fault({ kind: 'close-after-message', accepted: false });
    await expect(send()).rejects.toMatchObject({ code: 'ECONNECTION' });
    expect(await mail.accepted()).toEqual([]);
  });

  it('refuses a fault that can never apply', async () => {
    expect(await mail.sandbox.control('POST', '/mail/faults', { kind: 'reset' })).toMatchObject({
      status: 400,
    });
  });
});

describe('The Resend of the sandbox', () => {
  const secret = `whsec_${Buffer.from('a secret of the tests, 24+').toString('base64')}`;
  let mail: SandboxMailForTests;
  let receiver: Server;
  let received: { headers: IncomingMessage['headers']; body: string }[];

  beforeAll(async () => {
    mail = await SandboxMailForTests.start();
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.end();
      });
    }).listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    received = [];
    await mail.reset();
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    await mail.sandbox.control('PUT', '/resend/webhook', { url, secret });
  });
  afterAll(async () => {
    await mail.sandbox.stop();
    receiver.close();
  });

  const post = (body: object, key?: string, token = mail.resendKey) =>
    mail.sandbox.call('POST', '/resend/emails', {
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify({ ...ONE, to: [ONE.to], ...body }),
    });

  it('sends once for one idempotency key, and refuses it for another body', async () => {
    const first = await post({}, 'k-1');
    expect(await post({}, 'k-1')).toMatchObject({ status: 200, body: first.body });
    expect(await post({ subject: 'Other' }, 'k-1')).toMatchObject({
      status: 409,
      body: { statusCode: 409, name: 'invalid_idempotent_request' },
    });
    expect(await mail.accepted()).toHaveLength(1);
  });

  it('has accounts with emails, idempotency keys and domains of their own', async () => {
    const key = 're_key_of_another_account';
    await mail.resendAccount('other', key);
    const { body: first } = await post({}, 'k-1');
    const { body: second } = await post({ subject: 'Other' }, 'k-1', key);
    expect((await mail.accepted()).map(({ account }) => account.id)).toEqual(['resend', 'other']);
    await mail.resendDomain(key, 'elsewhere.example');
    expect(await post({ from: 'a@elsewhere.example' }, undefined, key)).toMatchObject({ status: 200 });
    expect(await post({ from: 'a@elsewhere.example' })).toMatchObject({ status: 403 });

    const read = (id: string, token: string) =>
      mail.sandbox.call('GET', `/resend/emails/${id}`, { headers: { authorization: `Bearer ${token}` } });
    expect(await read(first.id, key)).toMatchObject({ status: 404 });
    await mail.resendAccount('other', 're_next_key_of_that_account');
    expect(await read(second.id, key)).toMatchObject({ status: 403 });
    expect(await read(second.id, 're_next_key_of_that_account')).toMatchObject({ status: 200 });
  });

  it.each([
    ['another key', { token: 're_another_key' }, 403, 'invalid_api_key'],
    ['a domain that is not verified', { body: { from: 'a@elsewhere.invalid' } }, 403, 'validation_error'],
    ['an address that is none', { body: { to: ['nobody'] } }, 422, 'validation_error'],
    ['no body', { body: { text: undefined } }, 422, 'missing_required_field'],
  ])('refuses %s', async (_, { body = {}, token }: { body?: object; token?: string }, status, name) => {
    expect(await post(body, undefined, token)).toMatchObject({ status, body: { statusCode: status, name } });
    expect(await mail.accepted()).toEqual([]);
  });

  it('signs the events of each recipient', async () => {
    const { body } = await post({ to: ['ada@example.com', 'bounced@resend.dev'] });
    await waitUntil(() => received.length === 3);

    const events = received.map(({ body: text }) => JSON.parse(text));
    expect(events.map(({ type, data }) => [type, data.to, data.email_id])).toEqual(
      expect.arrayContaining([
        ['email.sent', ['ada@example.com', 'bounced@resend.dev'], body.id],
        ['email.delivered', ['ada@example.com'], body.id],
        ['email.bounced', ['bounced@resend.dev'], body.id],
      ]),
    );
    for (const { headers, body: text } of received) {
      const signed = [headers['svix-id'], headers['svix-timestamp'], text].join('.');
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const expected = createHmac('sha256', key).update(signed).digest('base64');
      expect(headers['svix-signature']).toBe(`v1,${expected}`);
    }
  });

  it('delivers an event again, late or with another signature', async () => {
    const { body } = await mail.sandbox.control('POST', '/resend/events', {
      type: 'email.complained',
      emailId: 'unknown',
      to: ['ada@example.com'],
    });
    await mail.sandbox.control('POST', `/resend/webhooks/${body.id}/deliver`, { shiftSeconds: -600 });
    await mail.sandbox.control('POST', `/resend/webhooks/${body.id}/deliver`, { forged: true });

    expect(new Set(received.map(({ headers }) => headers['svix-id'])).size).toBe(1);
    const [first, late, forged] = received.map(({ headers }) => headers);
    expect(Number(first?.['svix-timestamp']) - Number(late?.['svix-timestamp'])).toBeGreaterThan(590);
    expect(forged?.['svix-signature']).not.toBe(first?.['svix-signature']);
  });
});
