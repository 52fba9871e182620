import { randomUUID } from 'node:crypto';
import { domainOf } from '../../src/platform/gateway/email/shared/addresses.js';
import { PlatformSender } from '../../src/platform/gateway/email/senders/platform-sender.js';
import { setting } from '#libs/config/testing';
import { EmailConfig } from '../../src/platform/gateway/email/email.config.js';
import { EmailWorld, newAddress, SENDER_ADDRESS, statesOf } from '../support/email-world.js';

describe('mail of the gateway', () => {
  let world: EmailWorld;

  beforeAll(async () => {
    world = await EmailWorld.start('smtp', {}, [setting(EmailConfig, { retryFirstMs: 3_600_000 })]);
  });
  afterAll(() => world.stop());

  const verifiedDomain = async (organizationId: string, name: string) => {
    const admin = world.admin(organizationId);
    const { body } = await world.http.post('/api/email/domains').set(admin).send({ name }).expect(201);
    await world.mail.sandbox.control('PUT', `/dns/${body.record.name}`, {
      txt: ['other', body.record.value],
    });
    await world.http.post(`/api/email/domains/${body.id}/verify`).set(admin).expect(200);
    return { id: body.id as string, record: body.record as { name: string; value: string }, admin };
  };

  it('GW-02: a service sends mail through the typed gateway and reads what became of it', async () => {
    const headers = await world.service();
    const address = newAddress();
    const message = await world.send(headers, { to: [{ address, name: 'Ada' }] });

    expect(message).toMatchObject({
      provider: 'smtp',
      credential: 'platform',
      recipients: [{ state: 'queued' }],
    });
    const read = await world.settled(headers, message.id);
    expect(read).toMatchObject({ recipients: [{ address, state: 'sent', code: '2.0.0' }] });
    expect(read.history.map(({ state }: { state: string }) => state)).toEqual(['queued', 'sent']);
    const { body: list } = await world.http.get('/api/email/messages?state=sent').set(headers).expect(200);
    expect(list.data.map(({ id }: { id: string }) => id)).toEqual([message.id]);
  });

  it('GW-02: refuses a message with all findings, and sends nothing', async () => {
    const { body } = await world.http
      .post('/api/email/messages')
      .set(await world.service())
      .send({
        to: [{ address: 'nobody' }],
        subject: 'a\r\nBcc: eve@example.com',
        headers: { Bcc: 'eve@example.com' },
      })
      .expect(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '#/to/0/address',
      '#/text',
      '#/subject',
      '#/headers/Bcc',
    ]);
  });

  it('sends names and subjects with joiners, and refuses those that change the direction of text', async () => {
    const organizationId = randomUUID();
    const headers = await world.service(organizationId);
    const { id: domainId, admin } = await verifiedDomain(organizationId, `${randomUUID()}.example`);
    const { body } = await world.http.get('/api/email/domains').set(admin).expect(200);
    const { name: domain } = body.data.find(({ id }: { id: string }) => id === domainId);
    const sender = (name: string) =>
      world.http
        .post('/api/email/senders')
        .set(admin)
        .send({ domainId, name, address: `hello@${domain}` });

    const refused = await sender('Acme \u202egro.live');
    expect(refused.body).toMatchObject({ status: 400, errors: [{ pointer: '#/name' }] });
    await sender('نامه‌ها').expect(201);
    const address = newAddress();
    const to = [{ address, name: '👨‍👩‍👧' }];
    await world.sendAndSettle(headers, { to, subject: 'می‌خواهم 👨‍👩‍👧' });
    expect(await world.mail.newest(address)).toMatchObject({ subject: 'می‌خواهم 👨‍👩‍👧' });
    const { body: findings } = await world.http
      .post('/api/email/messages')
      .set(headers)
      .send({ to: [{ address, name: 'a\u2066b' }], subject: 'Invoice \u202efdp.exe', text: 'x' })
      .expect(400);
    expect(findings.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '#/to/0/name',
      '#/subject',
    ]);
  });

  it('GW-02: sends once for one idempotency key at two replicas at once', async () => {
    const headers = await world.service();
    const replica = await world.gateway.replica();
    const [address, key] = [newAddress(), randomUUID()];
    const body = { to: [{ address }], subject: 'Once', text: 'Once' };
    const responses = await Promise.all(
      [world.gateway.service.url, replica.url, world.gateway.service.url, replica.url].map((url) =>
        fetch(`${url}/api/email/messages`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify(body),
        }),
      ),
    );
    expect(responses.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    const message = await world.send(headers, body, key);
    await world.settled(headers, message.id);
    expect(await world.timesAccepted(message, address)).toBe(1);
    const other = await world.http
      .post('/api/email/messages')
      .set({ ...headers, 'Idempotency-Key': key })
      .send({ ...body, subject: 'Twice' });
    expect(other.status).toBe(422);
  });

  it('GW-02: renders templates with escaped values, by version', async () => {
    const headers = await world.service();
    const template = {
      name: 'welcome',
      subject: 'Welcome, {{name}}',
      text: 'Hello {{name}}',
      html: '<p>Hello {{name}}</p>',
      variables: [{ name: 'name' }],
    };
    await world.http.post('/api/email/templates').set(headers).send(template).expect(201);
    const newer = { ...template, subject: 'Hi, {{name}}' };
    const { body: second } = await world.http
      .post('/api/email/templates')
      .set(headers)
      .send(newer)
      .expect(201);
    expect(second).toMatchObject({ version: 2 });

    const address = newAddress();
    const variables = { name: '<b>Ada</b>' };
    const sent = await world.send(headers, {
      ...{ to: [{ address }], subject: undefined, text: undefined },
      template: { name: 'welcome', version: 1, variables },
    });
    await world.settled(headers, sent.id);
    expect(await world.mail.newest(address)).toMatchObject({
      subject: 'Welcome, <b>Ada</b>',
      html: '<p>Hello &lt;b&gt;Ada&lt;/b&gt;</p>',
    });
    const { body: preview } = await world.http
      .post('/api/email/templates/welcome/preview')
      .set(headers)
      .send({ variables })
      .expect(200);
    expect(preview.subject).toBe('Hi, <b>Ada</b>');
    await world.http
      .get('/api/email/templates/welcome')
      .set(await world.service())
      .expect(404);
  });

  it('lists templates of many megabytes in several pages', async () => {
    const headers = await world.service();
    const text = 'x'.repeat(200_000);
    const names = Array.from({ length: 14 }, (_, n) => `template-${n}`);
    for (const name of names) {
      const template = { name, subject: 'Hi', text, html: text, variables: [] };
      await world.http.post('/api/email/templates').set(headers).send(template).expect(201);
    }
    const page = async (cursor?: string) => {
      const query = { limit: 100, cursor };
      const { body } = await world.http.get('/api/email/templates').query(query).set(headers).expect(200);
      return body;
    };
    const first = await page();
    const second = await page(first.pagination.nextCursor as string);
    const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);
    expect([namesOf(first), namesOf(second)]).toEqual([names.slice(0, 10), names.slice(10)]);
    expect(second.pagination).toMatchObject({ hasMore: false, nextCursor: null });
  });

  it('GW-06: a sender identity is used by several services of its organization, and by no other organization', async () => {
    const organizationId = randomUUID();
    const domain = await verifiedDomain(organizationId, 'acme.example');
    const { body: sender } = await world.http
      .post('/api/email/senders')
      .set(domain.admin)
      .send({
        domainId: domain.id,
        name: 'Acme',
        address: 'hello@acme.example',
        replyTo: 'help@acme.example',
      })
      .expect(201);

    for (const application of ['social-publishing', 'agent']) {
      const token = application === 'agent' ? { token: 'a-token-of-another-application-of-tests' } : {};
      const headers = await world.gateway.headers({ organizationId, application, ...token });
      const address = newAddress();
      const message = await world.send(headers, { to: [{ address }], senderId: sender.id });
      await world.settled(headers, message.id);
      expect(message.from).toBe('hello@acme.example');
      expect(await world.mail.newest(address)).toMatchObject({ from: 'hello@acme.example' });
    }
    const foreign = await world.http
      .post('/api/email/messages')
      .set(await world.service())
      .send({ to: [{ address: newAddress() }], subject: 'x', text: 'x', senderId: sender.id });
    expect(foreign.body).toMatchObject({ status: 404, code: 'sender_not_found' });
  });

  it('GW-10: the inventory has connections of a cloud mail kind and domains that the platform owns', async () => {
    const organizationId = randomUUID();
    const { admin } = await verifiedDomain(organizationId, 'inventory.example');
    const { body } = await world.http.get('/api/email/domains').set(admin).expect(200);
    expect(body.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'inventory.example', kind: 'cloud_mail', status: 'verified' }),
        expect.objectContaining({
          name: 'platform.invalid',
          kind: 'platform',
          status: 'verified',
          record: null,
        }),
      ]),
    );
    const { body: others } = await world.http
      .get('/api/email/domains')
      .set(await world.service())
      .expect(200);
    expect(others.data.map(({ name }: { name: string }) => name)).toEqual(['platform.invalid']);
  });

  it('GW-11: an organization without domains sends default mail from the domain of the platform', async () => {
    const headers = await world.service();
    const address = newAddress();
    const message = await world.sendAndSettle(headers, { to: [{ address }] });
    expect(message).toMatchObject({
      from: SENDER_ADDRESS,
      credential: 'platform',
      recipients: [{ state: 'sent' }],
    });
  });

  it('sends from no domain that is not verified, and verifies one for one organization', async () => {
    const organizationId = randomUUID();
    const admin = world.admin(organizationId);
    const name = 'contested.example';
    const { body: domain } = await world.http
      .post('/api/email/domains')
      .set(admin)
      .send({ name })
      .expect(201);
    const { body: sender } = await world.http
      .post('/api/email/senders')
      .set(admin)
      .send({ domainId: domain.id, name: 'Eve', address: `eve@${name}` })
      .expect(201);
    const { body: failed } = await world.http
      .post(`/api/email/domains/${domain.id}/verify`)
      .set(admin)
      .expect(200);
    expect(failed).toMatchObject({ status: 'failed', checkResult: expect.stringContaining('no TXT record') });
    const refused = await world.http
      .post('/api/email/messages')
      .set(await world.service(organizationId))
      .send({ to: [{ address: newAddress() }], subject: 'x', text: 'x', senderId: sender.id });
    expect(refused.body).toMatchObject({ status: 422, code: 'domain_not_verified' });

    const owner = await verifiedDomain(randomUUID(), name);
    const txt = [domain.record.value, owner.record.value];
    await world.mail.sandbox.control('PUT', `/dns/${domain.record.name}`, { txt });
    const taken = await world.http.post(`/api/email/domains/${domain.id}/verify`).set(admin);
    expect(taken.body).toMatchObject({ status: 409, code: 'domain_taken' });
  });

  it('GW-11: keeps the domain of the operator verified, without a proof, so that default mail goes on', async () => {
    const { body: list } = await world.http.get('/api/email/domains').set(world.admin(randomUUID()));
    const { id } = list.data.find(({ name }: { name: string }) => name === domainOf(SENDER_ADDRESS));
    const verify = async () =>
      (
        await world.http
          .post(`/api/platform/email/domains/${id}/verify`)
          .set(world.platformAdmin())
          .expect(200)
      ).body;
    const isVerified = { status: 'verified', record: null, checkResult: expect.stringContaining('operator') };
    const isSent = async () => {
      const { from } = await world.send(await world.service());
      expect(from).toBe(SENDER_ADDRESS);
    };

    expect(await verify()).toMatchObject(isVerified);
    await isSent();

    // An administrator added it before the operator configured it.
    await world.gateway.test.database.query(
      `UPDATE gateway.email_domain SET status = 'failed', challenge = 'gateway-verification=0' WHERE id = $1`,
      [id],
    );
    await world.gateway.service.app.get(PlatformSender, { strict: false }).onApplicationBootstrap();
    expect(await verify()).toMatchObject(isVerified);
    await isSent();
  });

  it('does not verify a domain whose audit cannot be stored', async () => {
    const organizationId = randomUUID();
    const { database } = world.gateway.test;
    await database.query(`CREATE FUNCTION fail_audit() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no audit'; END $$;
      CREATE TRIGGER fail_audit BEFORE INSERT ON gateway.audit FOR EACH ROW
        WHEN (new.action = 'email_domain_verified') EXECUTE FUNCTION fail_audit()`);
    await expect(verifiedDomain(organizationId, 'unaudited.example')).rejects.toThrow('500');
    await database.query('DROP TRIGGER fail_audit ON gateway.audit');
    const { body } = await world.http.get('/api/email/domains').set(world.admin(organizationId)).expect(200);
    const domain = body.data.find(({ name }: { name: string }) => name === 'unaudited.example');
    expect(domain).toMatchObject({ status: 'pending', verifiedAt: null });
    await world.http
      .post(`/api/email/domains/${domain.id}/verify`)
      .set(world.admin(organizationId))
      .expect(200);
    const rows = await database.query(
      `SELECT action FROM gateway.audit WHERE action LIKE 'email_domain_%' AND target_id = $1 ORDER BY id`,
      [domain.id],
    );
    expect(rows).toEqual([{ action: 'email_domain_added' }, { action: 'email_domain_verified' }]);
  });

  it('lets only administrators of the platform define its senders', async () => {
    const body = { name: 'other.example' };
    await world.http
      .post('/api/platform/email/domains')
      .set(world.admin(randomUUID()))
      .send(body)
      .expect(403);
    await world.http.post('/api/platform/email/domains').set(world.platformAdmin()).send(body).expect(201);
    await world.http
      .post('/api/email/domains')
      .set(await world.service())
      .send(body)
      .expect(401);
  });

  it('shows messages to their application and to administrators of the organization only', async () => {
    const organizationId = randomUUID();
    const message = await world.send(await world.service(organizationId));
    const path = `/api/email/messages/${message.id}`;
    await world.http.get(path).set(world.admin(organizationId)).expect(200);
    await world.http.get(path).set(world.admin(randomUUID())).expect(404);
    await world.http
      .get(path)
      .set(await world.service())
      .expect(404);
    const agent = await world.gateway.headers({
      organizationId,
      token: 'a-token-of-another-application-of-tests',
    });
    await world.http.get(path).set(agent).expect(404);
  });

  it('sends an uncertain message again only after it is resolved, and audits that', async () => {
    const organizationId = randomUUID();
    const headers = await world.service(organizationId);
    const address = newAddress();
    await world.mail.fault({ kind: 'close-after-message', accepted: false, recipientContains: address });
    const message = await world.sendAndSettle(headers, { to: [{ address }] });
    expect(statesOf(message)).toEqual({ [address]: 'uncertain' });

    const resolve = (body: object) =>
      world.http
        .post(`/api/email/messages/${message.id}/resolve`)
        .set(world.admin(organizationId))
        .send(body);
    await resolve({ delivered: true, recipients: ['other@example.com'] }).expect(409);
    await resolve({ delivered: false }).expect(200);
    expect(statesOf(await world.settled(headers, message.id))).toEqual({ [address]: 'sent' });
    expect(await world.timesAccepted(message, address)).toBe(1);
    await resolve({ delivered: true }).expect(409);
    const rows = await world.gateway.test.database.query(
      `SELECT details FROM gateway.audit WHERE action = 'email_resolved' AND target_id = $1`,
      [message.id],
    );
    expect(rows).toEqual([{ details: { delivered: false, recipients: 1 } }]);
  });

  it('removes a suppression with permission, after which the address gets messages again', async () => {
    const organizationId = randomUUID();
    const [headers, admin] = [await world.service(organizationId), world.admin(organizationId)];
    const address = newAddress('Ada');
    const { body } = await world.http
      .post('/api/email/suppressions')
      .set(admin)
      .send({ address })
      .expect(201);
    expect(statesOf(await world.send(headers, { to: [{ address }] }))).toEqual({ [address]: 'suppressed' });
    await world.http.delete(`/api/email/suppressions/${body.id}`).set(world.admin(randomUUID())).expect(404);
    await world.http.delete(`/api/email/suppressions/${body.id}`).set(admin).expect(204);
    expect(statesOf(await world.sendAndSettle(headers, { to: [{ address }] }))).toEqual({
      [address]: 'sent',
    });
  });
});
