import { randomUUID } from 'node:crypto';
import { LateEventsSweep } from '../../src/platform/gateway/email/retention.sweep.js';
import { waitUntil } from '../support/wait-until.js';
import { EmailWorld, newAddress, statesOf, WEBHOOK_SECRET } from '../support/email-world.js';

describe('mail by Resend', () => {
  let world: EmailWorld;
  let headers: Record<string, string>;

  beforeAll(async () => {
    world = await EmailWorld.start('resend');
  });
  beforeEach(async () => {
    headers = await world.service();
  });
  afterAll(() => world.stop());

  const fault = (kind: string, more: object = {}) =>
    world.mail.sandbox.fault({ kind, network: 'resend', route: 'POST /emails', times: 1, ...more });
  const stateIs = (id: string, state: string) =>
    waitUntil(async () => (await world.read(headers, id)).recipients[0].state === state);

  const stateOf = (id: string, address: string, state: string) =>
    waitUntil(async () => statesOf(await world.read(headers, id))[address] === state);

  it.each([
    ['drop-before-effect', {}],
    ['drop-after-effect', {}],
    ['cut-answer', {}],
    ['unreadable-answer', {}],
    ['server-error-before-effect', {}],
    ['server-error-after-effect', {}],
    ['delay-after-effect', { delayMs: 900 }],
    ['rate-limited', { resetSeconds: 0 }],
    ['answer-instead', { status: 409, body: '{"statusCode":409,"name":"concurrent_idempotent_requests"}' }],
  ])('arrives once after %s: the call is repeated with its key', async (kind, more) => {
    const [address, subject] = [newAddress(), randomUUID()];
    await fault(kind, { ...more, textContains: subject });
    const message = await world.send(headers, { to: [{ address }], subject });

    await stateIs(message.id, 'delivered');
    expect(await world.timesAccepted(message, address)).toBe(1);
  });

  it('is refused with the reason of the provider', async () => {
    const subject = randomUUID();
    const body = '{"statusCode":422,"name":"validation_error","message":"No."}';
    await fault('answer-instead', { status: 422, body, textContains: subject });
    const message = await world.sendAndSettle(headers, { subject });
    expect(message.recipients).toMatchObject([{ state: 'refused', code: 'validation_error' }]);
  });

  it('suppresses an address after a permanent bounce for all, and after a complaint for the organization', async () => {
    const [bounced, complained] = [
      `bounced+${randomUUID()}@resend.dev`,
      `complained+${randomUUID()}@resend.dev`,
    ];
    const other = await world.service();
    for (const [address, state] of [
      [bounced, 'bounced'],
      [complained, 'complained'],
    ] as const)
      await stateIs((await world.send(headers, { to: [{ address }] })).id, state);

    const again = statesOf(
      await world.send(headers, { to: [{ address: bounced }, { address: complained }] }),
    );
    const elsewhere = await world.send(other, { to: [{ address: bounced }, { address: complained }] });

    expect(again).toEqual({ [bounced]: 'suppressed', [complained]: 'suppressed' });
    expect(statesOf(elsewhere)).toEqual({ [bounced]: 'suppressed', [complained]: 'queued' });
  });

  it('does not suppress a mailbox that was full', async () => {
    const address = newAddress('full');
    await stateIs((await world.send(headers, { to: [{ address }] })).id, 'bounced');
    expect(statesOf(await world.send(headers, { to: [{ address }] }))).toEqual({ [address]: 'queued' });
  });

  describe('events', () => {
    const event = (body: object) => world.mail.sandbox.control('POST', '/resend/events', body);
    const providerIdOf = async ({ messageId }: { messageId: string }): Promise<string> => {
      const { data } = (await world.mail.sandbox.control('GET', '/resend/webhooks')).body as {
        data: { event: { type: string; data: { email_id: string; to: string[] } } }[];
      };
      const [effect] = (await world.mail.accepted()).filter(({ text }) => text === messageId);
      const found = data.find(({ event: one }) => one.data.to.includes(effect?.recipients[0] ?? ''));
      return found?.event.data.email_id ?? '';
    };

    it('count once, when they are forged, late, early, repeated or about unknown messages', async () => {
      const address = newAddress();
      const message = await world.send(headers, { to: [{ address }] });
      await stateIs(message.id, 'delivered');
      const emailId = await providerIdOf(message);
      const complaint = { type: 'email.complained', emailId, to: [address] };

      for (const wrong of [{ forged: true }, { shiftSeconds: -301 }, { shiftSeconds: 301 }])
        expect((await event({ ...complaint, ...wrong })).body).toMatchObject({ status: 401 });
      expect((await event({ ...complaint, emailId: 'unknown-message' })).body).toMatchObject({ status: 204 });
      expect((await world.read(headers, message.id)).recipients).toMatchObject([{ state: 'delivered' }]);

      const { body: sent } = await event(complaint);
      expect(sent).toMatchObject({ status: 204 });
      await world.mail.sandbox.control('POST', `/resend/webhooks/${sent.id}/deliver`, {});
      const read = await world.read(headers, message.id);
      expect(read.recipients).toMatchObject([{ state: 'complained' }]);
      expect(read.history.filter(({ state }: { state: string }) => state === 'complained')).toHaveLength(1);
    });

    it('are applied in any order: an earlier state does not replace a later one', async () => {
      const address = newAddress();
      const message = await world.send(headers, { to: [{ address }] });
      await stateIs(message.id, 'delivered');
      const emailId = await providerIdOf(message);

      await event({ type: 'email.bounced', emailId, to: [address], bounceType: 'Transient' });
      await event({ type: 'email.delivered', emailId, to: [address] });
      await event({ type: 'email.sent', emailId, to: [address] });

      expect((await world.read(headers, message.id)).recipients).toMatchObject([{ state: 'bounced' }]);
    });

    it('name several recipients: each of them counts, unless they are all that the message was sent to', async () => {
      const [ada, bob, eve] = [newAddress(), newAddress(), newAddress()];
      const to = [ada, bob, eve].map((address) => ({ address }));
      const message = await world.send(headers, { to });
      const allAre = (state: string) =>
        waitUntil(async () =>
          Object.values(statesOf(await world.read(headers, message.id))).every((one) => one === state),
        );
      await allAre('delivered');
      const emailId = await providerIdOf(message);

      await event({ type: 'email.complained', emailId, to: [ada, bob, eve] });
      await event({ type: 'email.bounced', emailId, to: [ada, bob, eve], bounceType: 'Permanent' });
      await allAre('delivered');
      const { history } = await world.read(headers, message.id);
      expect(history.filter(({ address }: { address: string | null }) => address === null)).toEqual([
        expect.objectContaining({
          state: 'complained',
          detail: expect.stringContaining(bob),
          source: 'webhook',
        }),
        expect.objectContaining({ state: 'bounced', code: '5.1.1', detail: expect.stringContaining(eve) }),
      ]);
      expect(Object.values(statesOf(await world.send(headers, { to })))).toEqual([
        'queued',
        'queued',
        'queued',
      ]);

      await event({ type: 'email.bounced', emailId, to: [ada, bob], bounceType: 'Permanent' });
      const expected = { [ada]: 'bounced', [bob]: 'bounced', [eve]: 'delivered' };
      expect(statesOf(await world.read(headers, message.id))).toEqual(expected);
      expect(statesOf(await world.send(headers, { to }))).toEqual({
        [ada]: 'suppressed',
        [bob]: 'suppressed',
        // The worker can have begun with it.
        [eve]: expect.not.stringMatching('suppressed'),
      });
    });

    it.each(['cc', 'bcc'])(
      'name the whole list `to` of a call that had a recipient in %s, too: nothing says whose they are',
      async (kind) => {
        const [ada, bob] = [newAddress(), newAddress()];
        const lists = { to: [{ address: ada }], [kind]: [{ address: bob }] };
        const message = await world.send(headers, lists);
        await stateOf(message.id, bob, 'delivered');
        const emailId = await providerIdOf(message);

        await event({ type: 'email.bounced', emailId, to: [ada], bounceType: 'Permanent' });
        await event({ type: 'email.complained', emailId, to: [ada] });
        const read = await world.read(headers, message.id);
        expect(statesOf(read)).toEqual({ [ada]: 'sent', [bob]: 'delivered' });
        expect(read.history).toContainEqual(
          expect.objectContaining({ address: null, state: 'bounced', detail: expect.stringContaining(ada) }),
        );
        expect(statesOf(await world.send(headers, lists))).toEqual({
          [ada]: expect.not.stringMatching('suppressed'),
          [bob]: expect.not.stringMatching('suppressed'),
        });

        await event({ type: 'email.bounced', emailId, to: [bob], bounceType: 'Permanent' });
        const expected = { [ada]: 'sent', [bob]: 'bounced' };
        expect(statesOf(await world.read(headers, message.id))).toEqual(expected);
      },
    );

    it('are of one recipient where another one took the place of a suppressed one in `to`', async () => {
      const [gone, bob, eve] = [`bounced+${randomUUID()}@resend.dev`, newAddress(), newAddress()];
      await stateIs((await world.send(headers, { to: [{ address: gone }] })).id, 'bounced');
      const bcc = [{ address: bob }, { address: eve }];
      const message = await world.send(headers, { to: [{ address: gone }], bcc });
      await stateOf(message.id, eve, 'delivered');
      const emailId = await providerIdOf(message);

      await event({ type: 'email.bounced', emailId, to: [bob], bounceType: 'Permanent' });
      await event({ type: 'email.bounced', emailId, to: [eve], bounceType: 'Permanent' });
      const expected = { [gone]: 'suppressed', [bob]: 'sent', [eve]: 'bounced' };
      expect(statesOf(await world.read(headers, message.id))).toEqual(expected);
    });

    it('that come while the id of their message is being stored are applied later', async () => {
      const address = newAddress();
      const message = await world.send(headers, { to: [{ address }] });
      await stateIs(message.id, 'delivered');
      const emailId = await providerIdOf(message);
      const { database } = world.gateway.test;
      await database.query('UPDATE gateway.email_message SET provider_id = NULL WHERE id = $1', [message.id]);
      await database.transaction(async (transaction) => {
        const store = 'UPDATE gateway.email_message SET provider_id = $2 WHERE id = $1';
        await transaction.query(store, [message.id, emailId]);
        const { body } = await event({ type: 'email.complained', emailId, to: [address] });
        expect(body).toMatchObject({ status: 204 });
      });
      expect((await world.read(headers, message.id)).recipients).toMatchObject([{ state: 'delivered' }]);

      await world.gateway.service.app.get(LateEventsSweep, { strict: false }).tick();

      expect((await world.read(headers, message.id)).recipients).toMatchObject([{ state: 'complained' }]);
    });

    it('of a foreign account that name messages do not delay late events of others', async () => {
      const address = newAddress();
      const message = await world.send(headers, { to: [{ address }] });
      await stateIs(message.id, 'delivered');
      const emailId = await providerIdOf(message);
      const { database } = world.gateway.test;
      await database.query(
        `WITH copies AS (
           INSERT INTO gateway.email_message (id, organization_id, application_id, provider, is_platform, from_name, from_address,
             subject, headers, message_id, provider_id)
           SELECT gen_random_uuid(), organization_id, application_id, provider, is_platform, from_name, from_address, subject,
             headers, message_id, '00000000-' || n FROM gateway.email_message, generate_series(1, 150) AS n WHERE id = $1
           RETURNING provider_id)
         INSERT INTO gateway.email_webhook (id, type, provider_id, organization_id, event)
         SELECT 'foreign/' || provider_id, 'email.bounced', provider_id, gen_random_uuid(), '{}' FROM copies`,
        [message.id],
      );
      await database.query(
        `INSERT INTO gateway.email_webhook (id, type, provider_id, event) VALUES ('late', 'email.complained', $1, $2)`,
        [
          emailId,
          JSON.stringify({
            type: 'email.complained',
            providerId: emailId,
            addresses: [address.toLowerCase()],
            at: null,
            bounce: null,
          }),
        ],
      );

      await world.gateway.service.app.get(LateEventsSweep, { strict: false }).tick();

      expect((await world.read(headers, message.id)).recipients).toMatchObject([{ state: 'complained' }]);
    });

    it('of one account say nothing about messages of another', async () => {
      const address = newAddress();
      const message = await world.send(headers, { to: [{ address }] });
      await stateIs(message.id, 'delivered');
      const emailId = await providerIdOf(message);
      const organizationId = randomUUID();
      const secret = { key: 're_key_of_another_organization', webhookSecrets: [WEBHOOK_SECRET] };
      const { body: own } = await world.http
        .post('/api/credentials')
        .set(world.admin(organizationId))
        .send({ provider: 'resend', label: 'Own', secret })
        .expect(201);
      const url = `${world.gateway.service.url}/api/email/webhooks/resend/${own.id}`;
      await world.mail.sandbox.control('PUT', '/resend/webhook', { url, secret: WEBHOOK_SECRET });

      expect((await event({ type: 'email.complained', emailId, to: [address] })).body).toMatchObject({
        status: 204,
      });
      expect((await world.read(headers, message.id)).recipients).toMatchObject([{ state: 'delivered' }]);
    });
  });
});
