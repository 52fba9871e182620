import { randomUUID } from 'node:crypto';
import { setting } from '#libs/config/testing';
import { EmailConfig } from '../../src/platform/gateway/email/email.config.js';
import { EmailWorld, newAddress } from '../support/email-world.js';
import { OwnAccount } from '../support/own-mail-account.js';
import { waitUntil } from '../support/wait-until.js';

const OTHER_KEY = 're_key_of_no_account_0123456789';

describe("mail with an organization's own credential", () => {
  let world: EmailWorld;

  beforeAll(async () => {
    // Retries only when a test asks for one.
    world = await EmailWorld.start('resend', {}, [setting(EmailConfig, { retryFirstMs: 3_600_000 })]);
  });
  afterAll(() => world.stop());

  /** The names of the accounts that accepted the message. */
  const acceptedBy = async ({ messageId }: { messageId: string }) =>
    (await world.mail.accepted()).filter(({ text }) => text === messageId).map(({ account }) => account.id);
  /** Waits for the next attempt to end, and makes the following one due. */
  const attempted = async (id: string, attempts: number): Promise<void> => {
    const { database } = world.gateway.test;
    const ended = 'SELECT FROM gateway.email_message WHERE id = $1 AND attempts >= $2 AND attempt_id IS NULL';
    await waitUntil(async () => (await database.query(ended, [id, attempts])).length > 0);
  };
  const retry = (id: string) =>
    world.gateway.test.database.query(
      'UPDATE gateway.email_message SET due_at = now() WHERE id = $1 AND attempt_id IS NULL',
      [id],
    );

  it('is sent by the account of the organization, not by that of the platform', async () => {
    const own = await OwnAccount.open(world);
    const message = await own.send();
    expect(message).toMatchObject({ credential: 'own', provider: 'resend', from: own.address });
    expect((await world.settled(own.headers, message.id)).recipients).toMatchObject([{ state: 'sent' }]);
    expect(await acceptedBy(message)).toEqual([own.name]);
  });

  it('waits while the provider refuses the credential, and is sent with its next secret', async () => {
    const own = await OwnAccount.open(world);
    await own.rotate(OTHER_KEY);
    const message = await own.send();
    await attempted(message.id, 1);
    expect((await world.read(own.headers, message.id)).recipients).toMatchObject([
      { state: 'queued', detail: 'Resend refuses the credential.' },
    ]);
    await own.rotate(own.key);
    await retry(message.id);
    await world.settled(own.headers, message.id);
    expect(await acceptedBy(message)).toEqual([own.name]);
  });

  it.each(['delete', 'disable'] as const)(
    'waits for another own credential after the %s of it',
    async (end) => {
      const own = await OwnAccount.open(world);
      await own.rotate(OTHER_KEY);
      const message = await own.send();
      await attempted(message.id, 1);
      await own[end]();
      await retry(message.id);
      await attempted(message.id, 2);
      expect((await world.read(own.headers, message.id)).recipients).toMatchObject([
        { state: 'queued', detail: 'There is no usable credential for resend.' },
      ]);
      await own.addCredential();
      await retry(message.id);
      await world.settled(own.headers, message.id);
      expect(await acceptedBy(message)).toEqual([own.name]);
    },
  );

  it('waits while the own mail server has no address, and never goes through that of the platform', async () => {
    const own = await OwnAccount.open(world, 'smtp');
    const message = await own.send();
    expect(message).toMatchObject({ credential: 'own', provider: 'smtp' });
    await attempted(message.id, 1);
    expect((await world.read(own.headers, message.id)).recipients).toMatchObject([
      { state: 'queued', detail: 'The mail server has no public address.' },
    ]);
    expect(await acceptedBy(message)).toEqual([]);
  });

  describe('whose answer was lost', () => {
    const other = { name: `other-${randomUUID()}`, key: `re_${randomUUID().replaceAll('-', '')}` };

    beforeAll(() => world.mail.resendAccount(other.name, other.key));

    /** A message that the account accepted, in doubt after the first attempt. */
    const inDoubt = async () => {
      const own = await OwnAccount.open(world);
      await world.mail.resendDomain(other.key, own.domain);
      await world.mail.sandbox.fault({
        ...{
          kind: 'drop-after-effect',
          network: 'resend',
          account: own.name,
          route: 'POST /emails',
          times: 1,
        },
      });
      const message = await own.send();
      await attempted(message.id, 1);
      expect(await acceptedBy(message)).toEqual([own.name]);
      const state = async (): Promise<string> => {
        await retry(message.id);
        return (await world.settled(own.headers, message.id)).recipients[0].state;
      };
      return { own, message, state };
    };

    it('is repeated with the same key', async () => {
      const { own, message, state } = await inDoubt();
      await own.rotate(own.key);
      expect(await state()).toBe('sent');
      expect(await acceptedBy(message)).toEqual([own.name]);
    });

    it.each([
      ['has the key of another account', (own: OwnAccount) => own.rotate(other.key)],
      ['is disabled', (own: OwnAccount) => own.disable()],
      ['is deleted', (own: OwnAccount) => own.delete()],
    ])('is uncertain when the credential %s', async (_, change) => {
      const { own, message, state } = await inDoubt();
      await change(own);
      expect(await state()).toBe('uncertain');
      expect(await acceptedBy(message)).toEqual([own.name]);
    });
  });

  it('GW-10: the inventory has the own connections with the domains that they serve, and no secret', async () => {
    const own = await OwnAccount.open(world);
    const connections = async (headers: Record<string, string>) =>
      (await world.http.get('/api/email/connections').set(headers).expect(200)).body.data;
    const resend = {
      id: own.credentialId,
      kind: 'cloud_mail',
      provider: 'resend',
      label: own.name,
      state: 'usable',
      domains: [own.domain],
    };
    expect(await connections(own.headers)).toEqual([resend]);

    const { id } = await own.addCredential('smtp');
    await own.rotate(OTHER_KEY);
    await attempted((await own.send()).id, 1);
    const pending = { name: `pending.${own.domain}`, provider: 'smtp' };
    await world.http.post('/api/email/domains').set(own.admin).send(pending).expect(201);
    expect(await connections(own.admin)).toEqual([
      { ...resend, state: 'failing' },
      { id, kind: 'cloud_mail', provider: 'smtp', label: own.name, state: 'usable', domains: [] },
    ]);
    await own.disable();
    expect(await connections(own.admin)).toMatchObject([{ state: 'disabled', domains: [] }, { id }]);

    await world.http
      .post('/api/credentials')
      .set(own.admin)
      .send({ provider: 'openai', label: 'Not of mail', secret: 'sk-0123456789abcdefghijklmn' })
      .expect(201);
    expect(await connections(own.admin)).toHaveLength(2);
    expect(await connections(world.admin(randomUUID()))).toEqual([]);
  });

  it('has the idempotency keys of its organization only', async () => {
    const [one, two] = [await OwnAccount.open(world), await OwnAccount.open(world)];
    const [key, address] = [randomUUID(), newAddress()];
    const messages = [await one.send({ to: [{ address }] }, key), await two.send({ to: [{ address }] }, key)];
    for (const [index, { headers, name }] of [one, two].entries()) {
      await world.settled(headers, messages[index].id);
      expect(await acceptedBy(messages[index])).toEqual([name]);
    }
  });
});

describe('mail of a platform without a sender and without credentials', () => {
  let world: EmailWorld;

  beforeAll(async () => {
    world = await EmailWorld.start('resend', { EMAIL_PLATFORM_SENDER: '' });
    await world.gateway.test.database.query('UPDATE gateway.credential SET enabled = false');
  });
  afterAll(() => world.stop());

  const refusal = async (headers: Record<string, string>, senderId?: string) => {
    const message = { to: [{ address: newAddress() }], subject: 'x', text: 'x', senderId };
    const { body } = await world.http.post('/api/email/messages').set(headers).send(message);
    return { status: body.status as number, code: body.code as string };
  };

  it('is refused without a sender', async () => {
    expect(await refusal(await world.service())).toEqual({ status: 422, code: 'no_sender' });
  });

  it('has the configured sender as its default, also after the setting changed', async () => {
    const defaults = async () => {
      const { body } = await world.http.get('/api/email/senders').set(await world.service());
      return body.data.filter(({ isDefault }: { isDefault: boolean }) => isDefault);
    };
    for (const address of ['one@one.invalid', 'two@two.invalid', 'one@one.invalid']) {
      await world.gateway.replica({ EMAIL_PLATFORM_SENDER: `The platform <${address}>` });
      expect(await defaults()).toMatchObject([{ address, owner: 'platform' }]);
    }
  });

  it('is refused without a credential, also when the own one is disabled', async () => {
    const own = await OwnAccount.open(world, 'smtp');
    await own.disable();
    expect(await refusal(own.headers, own.senderId)).toEqual({ status: 422, code: 'no_credential' });
  });
});
