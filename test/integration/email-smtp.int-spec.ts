import { EmailWorld, newAddress, statesOf } from '../support/email-world.js';

/** reference/gateway-wire.md, section 3: every row of the SMTP table, counted at the ledger of the mail server. */
describe('mail by SMTP', () => {
  let world: EmailWorld;
  let headers: Record<string, string>;

  beforeAll(async () => {
    world = await EmailWorld.start();
    headers = await world.service();
  });
  afterAll(() => world.stop());

  const sendUnder = async (fault: object, address = newAddress()) => {
    await world.mail.fault({ ...fault, recipientContains: address });
    const message = await world.sendAndSettle(headers, { to: [{ address }] });
    return { message, recipient: message.recipients[0], times: await world.timesAccepted(message, address) };
  };

  it('is sent once, with text, HTML, names and headers', async () => {
    const address = newAddress();
    const message = await world.sendAndSettle(headers, {
      to: [{ address, name: 'Ada "the first" Lovelace' }],
      bcc: [{ address: `hidden-${address}` }],
      subject: 'Grüße 🎈',
      html: '<p>Good day</p>',
      replyTo: 'help@example.com',
      headers: { 'list-unsubscribe': '<https://example.com/leave>' },
    });

    expect(statesOf(message)).toEqual({ [address]: 'sent', [`hidden-${address}`]: 'sent' });
    expect(await world.timesAccepted(message, address)).toBe(1);
    const seen = await world.mail.newest(address);
    expect(seen).toMatchObject({ subject: 'Grüße 🎈', text: 'Good day', html: '<p>Good day</p>' });
    const sent = Object.fromEntries(
      seen.headers.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    expect(sent).toMatchObject({
      'Message-ID': message.messageId,
      'Reply-To': 'help@example.com',
      'List-Unsubscribe': '<https://example.com/leave>',
    });
    expect(sent.To).toContain(address);
    expect(JSON.stringify(seen.headers)).not.toContain('hidden-');
  });

  it.each(['reset-before-data', 'close-before-data'])(
    'is sent again after %s: nothing was sent',
    async (kind) => {
      const { recipient, times } = await sendUnder({ kind });
      expect(recipient).toMatchObject({ state: 'sent' });
      expect(times).toBe(1);
    },
  );

  it.each(['reset-after-message', 'close-after-message', 'cut-reply', 'silence-after-message'])(
    'is uncertain and not sent again after %s, although it was accepted',
    async (kind) => {
      const { recipient, times } = await sendUnder({ kind });
      expect(recipient).toMatchObject({ state: 'uncertain' });
      expect(times).toBe(1);
    },
  );

  it.each([
    ['in time', 1, 'sent'],
    ['after the time limit', 900, 'uncertain'],
  ])('is sent once when the reply is slow and comes %s', async (_, delayMs, state) => {
    const { recipient, times } = await sendUnder({ kind: 'slow-reply', delayMs });
    expect(recipient).toMatchObject({ state });
    expect(times).toBe(1);
  });

  it('is uncertain, too, when the server lost it: the sender cannot tell', async () => {
    const { recipient, times } = await sendUnder({ kind: 'close-after-message', accepted: false });
    expect(recipient).toMatchObject({ state: 'uncertain' });
    expect(times).toBe(0);
  });

  it.each([421, 451])('is sent again after %i to the content: it was not accepted', async (code) => {
    const { recipient, times } = await sendUnder({ kind: 'refuse-message', code, text: '4.3.0 Later' });
    expect(recipient).toMatchObject({ state: 'sent' });
    expect(times).toBe(1);
  });

  it('is refused after a 5xx to the content, which says nothing about the mailbox', async () => {
    const address = newAddress();
    const { recipient, times } = await sendUnder(
      { kind: 'refuse-message', code: 550, text: '5.1.1 Content refused' },
      address,
    );
    expect(recipient).toMatchObject({ state: 'refused', code: '5.1.1' });
    expect(times).toBe(0);
    expect((await world.sendAndSettle(headers, { to: [{ address }] })).recipients).toMatchObject([
      { state: 'sent' },
    ]);
  });

  it('is refused when the server refuses the sender', async () => {
    const address = newAddress();
    await world.mail.fault({ kind: 'refuse-sender', code: 550, text: '5.7.1 Not allowed' });
    const message = await world.sendAndSettle(headers, { to: [{ address }] });
    expect(message.recipients).toMatchObject([{ state: 'refused', code: '5.7.1' }]);
  });

  it('keeps the state of each recipient, and sends again to those that were deferred only', async () => {
    const [ada, none, later] = [newAddress(), newAddress('unknown'), newAddress('greylisted')];
    const message = await world.sendAndSettle(headers, {
      to: [ada, none, later].map((address) => ({ address })),
    });

    expect(statesOf(message)).toEqual({ [ada]: 'sent', [none]: 'refused', [later]: 'sent' });
    for (const [address, times] of [
      [ada, 1],
      [none, 0],
      [later, 1],
    ] as const)
      expect(await world.timesAccepted(message, address)).toBe(times);
    const states = message.history.flatMap(({ address, state }: { address: string; state: string }) =>
      address === later ? [state] : [],
    );
    expect(states).toEqual(['queued', 'queued', 'sent']);
  });

  it('suppresses a mailbox that does not exist, and neither a full nor a protected one', async () => {
    const organizationId = crypto.randomUUID();
    const own = await world.service(organizationId);
    const [none, full, policy] = [newAddress(), newAddress(), newAddress()];
    await world.mail.recipient(none, 'unknown', 1);
    await world.mail.recipient(full, 'full', 1);
    await world.mail.recipient(policy, 'policy', 1);
    const to = [none, full, policy].map((address) => ({ address }));

    const first = statesOf(await world.sendAndSettle(own, { to }));
    const second = statesOf(await world.sendAndSettle(own, { to }));

    expect(first).toEqual({ [none]: 'refused', [full]: 'sent', [policy]: 'refused' });
    expect(second).toEqual({ [none]: 'suppressed', [full]: 'sent', [policy]: 'sent' });
  });

  it('waits for a credential that works', async () => {
    const address = newAddress();
    await world.mail.fault({
      kind: 'refuse-login',
      times: 2,
      code: 535,
      text: '5.7.8 Authentication failed',
    });
    const message = await world.sendAndSettle(headers, { to: [{ address }] });
    expect(statesOf(message)).toEqual({ [address]: 'sent' });
    expect(JSON.stringify(message)).not.toContain(world.mail.password);
  });

  it('reaches addresses beyond ASCII', async () => {
    const address = 'grüße@xn--bcher-kva.example';
    const message = await world.sendAndSettle(headers, { to: [{ address: 'grüße@bücher.example' }] });
    expect(statesOf(message)).toEqual({ [address]: 'sent' });
  });
});
