import { createHmac, randomUUID } from 'node:crypto';
import request from 'supertest';
import { EmailWorld, newAddress, statesOf, WEBHOOK_SECRET } from '../support/email-world.js';
import { PaymentsWorld } from '../support/payments-world.js';
import { waitUntil } from '../support/wait-until.js';

/** What people write into fields that a provider signs as they are, and what the API refuses in other bodies. */
const CONTENTS: [string, string][] = [
  ['31 combining marks', JSON.stringify({ name: `a${'\u0301'.repeat(31)}` })],
  ['NUL', JSON.stringify({ name: 'a\0', 'b\0': 1 })],
  ['a lone surrogate', JSON.stringify({ name: 'a\ud83d', '\ud83d': 1 })],
  ['names of Object.prototype', '{"metadata":{"valueOf":"x","__proto__":{"id":"other"},"constructor":"y"}}'],
  ['many values', JSON.stringify({ lines: Array.from({ length: 12_000 }, (_, index) => index) })],
  ['many names', JSON.stringify(Object.fromEntries(Array.from({ length: 1_100 }, (_, n) => [`n${n}`, n])))],
  ['integers that a number cannot hold', '{"number":12345678901234567}'],
  ['deep nesting', `{"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
];
const BROKEN: [string, string | Buffer][] = [
  ['text', 'no JSON'],
  ['half of an object', '{"id":'],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
];

/** `members` of an object in JSON, with those of `more`. */
const joined = (members: object, more: string): string =>
  `${JSON.stringify(members).slice(0, -1)},${more.slice(1)}`;

describe('signed events of the payment provider', () => {
  let world: PaymentsWorld;

  beforeAll(async () => {
    world = await PaymentsWorld.open();
  });
  afterAll(() => world.close());

  const send = (body: string | Buffer) => {
    const seconds = Math.floor(Date.now() / 1000);
    const hmac = createHmac('sha256', world.webhookSecret).update(`${seconds}.`).update(body).digest('hex');
    return request(world.gateway.service.url)
      .post('/api/payments/webhooks/stripe')
      .set({
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${seconds},v1=${hmac}`,
      })
      .serialize((bytes: unknown) => bytes as string)
      .send(body);
  };

  it.each(CONTENTS)('with %s are stored and relayed', async (_, contents) => {
    const caller = await world.caller();
    const { body: product } = await caller.post('/products', { name: 'Signed' }).expect(201);
    const id = `evt_${randomUUID()}`;
    const object = joined({ id: product.id, object: 'product' }, contents);
    const event = { id, object: 'event', created: 1_700_000_000, type: 'product.updated' };
    await send(joined(event, `{"data":{"object":${object}}}`)).expect(200, { isNew: true });
    await waitUntil(() => Promise.resolve(world.receiver.received.some((one) => one.id === id)));
    expect(world.receiver.received.filter((one) => one.id === id)).toMatchObject([
      { isSigned: true, body: { id, object: { type: 'product', id: product.id } } },
    ]);
  });

  it('with text that cannot be stored in a field that is stored have U+FFFD there', async () => {
    const id = `evt_${randomUUID()}`;
    const object = { id: 'x\0y\ud83d', object: 'charge' };
    await send(JSON.stringify({ id, object: 'event', created: 1, type: 'a\0', data: { object } })).expect(
      200,
    );
    const rows = await world.gateway.test.database.query(
      'SELECT type, object_id FROM gateway.payment_event WHERE event_id = $1',
      [id],
    );
    expect(rows).toEqual([{ type: 'a\ufffd', object_id: 'x\ufffdy\ufffd' }]);
  });

  it.each(BROKEN)('are refused when the body is %s', async (_, body) => {
    const response = await send(body).expect(400);
    expect(response.body).toMatchObject({ code: 'malformed_json' });
  });

  it('are refused without a signature, whatever the body is', async () => {
    const path = '/api/payments/webhooks/stripe';
    const { url } = world.gateway.service;
    const response = await request(url).post(path).type('json').send('no JSON').expect(400);
    expect(response.body).toMatchObject({ code: 'webhook_not_authentic' });
  });
});

describe('signed events of the mail provider', () => {
  let world: EmailWorld;

  beforeAll(async () => {
    world = await EmailWorld.start('resend');
  });
  afterAll(() => world.stop());

  const send = (body: string | Buffer) => {
    const [id, seconds] = [`msg_${randomUUID()}`, String(Math.floor(Date.now() / 1000))];
    const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
    const hmac = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64');
    return world.http
      .post('/api/email/webhooks/resend')
      .set({ 'content-type': 'application/json', 'svix-id': id, 'svix-timestamp': seconds })
      .set('svix-signature', `v1,${hmac}`)
      .serialize((bytes: unknown) => bytes as string)
      .send(body);
  };
  const rows = <Row extends object>(sql: string, ...values: unknown[]) =>
    world.gateway.test.database.query<Row>(sql, values);

  it.each(CONTENTS)('with %s are applied', async (_, contents) => {
    const headers = await world.service();
    const address = newAddress();
    const { id } = await world.sendAndSettle(headers, { to: [{ address }] });
    const [sent] = await rows<{ provider_id: string }>(
      'SELECT provider_id FROM gateway.email_message WHERE id = $1',
      id,
    );
    const bounce = { type: 'Permanent', message: 'No \0such\ud83d mailbox' };
    const data = joined({ email_id: sent?.provider_id, to: [address], bounce }, contents);
    await send(`{"type":"email.bounced","data":${data}}`).expect(204);
    expect(statesOf(await world.read(headers, id as string))).toEqual({ [address]: 'bounced' });
    expect(await rows('SELECT detail FROM gateway.email_recipient WHERE message_id = $1', id)).toEqual([
      { detail: 'Permanent: No \ufffdsuch\ufffd mailbox' },
    ]);
  });

  it.each(BROKEN)('are refused when the body is %s', async (_, body) => {
    const response = await send(body).expect(400);
    expect(response.body).toMatchObject({ code: 'malformed_json' });
  });
});
