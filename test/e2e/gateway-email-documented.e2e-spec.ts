import { randomUUID } from 'node:crypto';
import { Documented } from '../support/documented.js';
import { EmailWorld, newAddress, statesOf } from '../support/email-world.js';

type Headers = Record<string, string>;
const TEMPLATE = {
  name: 'notice',
  subject: 'For {{name}}',
  text: 'Hello {{name}}',
  variables: [{ name: 'name' }],
};

describe('the responses of mail match the document of the gateway', () => {
  let world: EmailWorld;
  let documented: Documented;
  const walked = new Set<string>();

  beforeAll(async () => {
    world = await EmailWorld.start();
    documented = await Documented.by(world.gateway.service.url);
  });
  afterAll(() => world.stop());

  const call = async (
    operation: string,
    status: number,
    headers: Headers,
    { body, ids = {} }: { body?: object; ids?: Record<string, string> } = {},
  ) => {
    walked.add(operation);
    const [method, template = ''] = operation.split(' ') as ['get' | 'post' | 'delete', string];
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? randomUUID());
    const sent = world.http[method](path).set(headers);
    const response = await (body ? sent.send(body) : sent);
    documented.check(operation, response);
    expect([operation, response.status]).toEqual([operation, status]);
    return response.body;
  };
  const addRecord = (record: { name: string; value: string }) =>
    world.mail.sandbox.control('PUT', `/dns/${record.name}`, { txt: [record.value] });

  it('for messages, templates and suppressions of an organization', async () => {
    const organizationId = randomUUID();
    const [service, admin] = [await world.service(organizationId), world.admin(organizationId)];
    const nobody = { 'x-service-token': 'x'.repeat(40) };
    const messages = '/api/email/messages';
    const body = { to: [{ address: newAddress() }], subject: 'Hello', text: 'Good day' };
    const message = await call(`post ${messages}`, 201, service, { body });
    await call(`post ${messages}`, 400, service, { body: { ...body, subject: 'a\nb' } });
    await call(`post ${messages}`, 400, service, { body: { ...body, text: 'a\u0000b' } });
    await call(`post ${messages}`, 403, nobody, { body });
    await call(`post ${messages}`, 404, service, { body: { ...body, senderId: randomUUID() } });
    await call(`get ${messages}`, 200, admin);
    await call(`get ${messages}`, 401, {});
    const ids = { messageId: message.id as string };
    await call(`get ${messages}/{messageId}`, 200, service, { ids });
    await call(`get ${messages}/{messageId}`, 404, world.admin(randomUUID()), { ids });
    await world.settled(service, message.id);
    await call(`post ${messages}/{messageId}/resolve`, 409, admin, { ids, body: { delivered: true } });

    const templates = '/api/email/templates';
    await call(`post ${templates}`, 201, service, { body: TEMPLATE });
    await call(`post ${templates}`, 400, service, { body: { ...TEMPLATE, text: '{{other}}' } });
    await call(`get ${templates}`, 200, admin);
    await call(`get ${templates}/{name}`, 200, service, { ids: { name: 'notice' } });
    await call(`get ${templates}/{name}`, 404, service, { ids: { name: 'none' } });
    const preview = { ids: { name: 'notice' }, body: { variables: { name: '{{name}}' } } };
    const { subject } = await call(`post ${templates}/{name}/preview`, 200, service, preview);
    expect(subject).toBe('For {{name}}');
    await call(`post ${templates}/{name}/preview`, 400, service, { ...preview, body: { variables: {} } });

    const suppressions = '/api/email/suppressions';
    const address = newAddress();
    const { id } = await call(`post ${suppressions}`, 201, admin, { body: { address } });
    await call(`post ${suppressions}`, 400, admin, { body: { address: 'nobody' } });
    await call(`get ${suppressions}`, 200, service);
    await call(`delete ${suppressions}/{suppressionId}`, 204, admin, { ids: { suppressionId: id } });
    await call(`delete ${suppressions}/{suppressionId}`, 404, admin, { ids: { suppressionId: id } });
  });

  it('for domains and senders of an organization, and for webhooks', async () => {
    const organizationId = randomUUID();
    const [admin, other] = [world.admin(organizationId), world.admin(randomUUID())];
    const domains = '/api/email/domains';
    const domain = await call(`post ${domains}`, 201, admin, { body: { name: 'walked.example' } });
    await call(`post ${domains}`, 409, admin, { body: { name: 'walked.example' } });
    await call(`post ${domains}`, 400, admin, { body: { name: '127.0.0.1' } });
    await call(`get ${domains}`, 200, admin);
    const connection = { provider: 'resend', label: 'Walked', secret: 're_walked_0123456789' };
    await world.http.post('/api/credentials').set(admin).send(connection).expect(201);
    const { data } = await call('get /api/email/connections', 200, admin);
    expect(data).toMatchObject([{ label: 'Walked', domains: [] }]);
    await call('get /api/email/connections', 401, {});
    const ids = { domainId: domain.id as string };
    await addRecord(domain.record);
    await call(`post ${domains}/{domainId}/verify`, 404, other, { ids });
    const verified = await call(`post ${domains}/{domainId}/verify`, 200, admin, { ids });
    expect(verified.status).toBe('verified');

    const senders = '/api/email/senders';
    const sender = { domainId: domain.id, name: 'Walked', address: 'a@walked.example' };
    const { id } = await call(`post ${senders}`, 201, admin, { body: sender });
    await call(`post ${senders}`, 409, admin, { body: sender });
    await call(`post ${senders}`, 404, other, { body: sender });
    await call(`post ${senders}`, 400, admin, { body: { ...sender, address: 'a@other.example' } });
    await call(`post ${senders}`, 400, admin, { body: { ...sender, name: 'a\r\nBcc: eve@example.com' } });
    await call(`get ${senders}`, 200, await world.service(organizationId));
    await call(`delete ${senders}/{senderId}`, 404, other, { ids: { senderId: id } });
    await call(`delete ${senders}/{senderId}`, 204, admin, { ids: { senderId: id } });
    await call(`delete ${domains}/{domainId}`, 404, other, { ids });
    await call(`delete ${domains}/{domainId}`, 204, admin, { ids });

    const unsigned = { 'svix-id': 'msg_1', 'svix-timestamp': '1', 'svix-signature': 'v1,AAAA' };
    await call('post /api/email/webhooks/resend', 401, unsigned, { body: {} });
    await call('post /api/email/webhooks/resend/{credentialId}', 401, unsigned, { body: {} });
  });

  it('for what belongs to the platform, which takes effect for every organization', async () => {
    const [platform, admin] = [world.platformAdmin(), world.admin(randomUUID())];
    const service = await world.service();
    const base = '/api/platform/email';
    const domain = await call(`post ${base}/domains`, 201, platform, { body: { name: 'ours.example' } });
    await call(`post ${base}/domains`, 403, admin, { body: { name: 'theirs.example' } });
    const sender = { domainId: domain.id, name: 'Ours', address: 'a@ours.example' };
    const { id } = await call(`post ${base}/senders`, 201, platform, { body: sender });
    await call(`post ${base}/senders`, 403, admin, { body: sender });
    const message = { to: [{ address: newAddress() }], subject: 'Hello', text: 'Good day', senderId: id };
    await call('post /api/email/messages', 422, service, { body: message });
    const failed = await call(`post ${base}/domains/{id}/verify`, 200, platform, { ids: { id: domain.id } });
    expect(failed.status).toBe('failed');
    await addRecord(domain.record);
    const verified = await call(`post ${base}/domains/{id}/verify`, 200, platform, {
      ids: { id: domain.id },
    });
    expect(verified.status).toBe('verified');
    await call(`post ${base}/domains/{id}/verify`, 403, admin, { ids: { id: domain.id } });
    expect(await call('post /api/email/messages', 201, service, { body: message })).toMatchObject({
      from: 'a@ours.example',
    });

    await call(`post ${base}/templates`, 403, admin, { body: TEMPLATE });
    await call(`post ${base}/templates`, 201, platform, { body: { ...TEMPLATE, name: 'ours' } });
    const template = { name: 'ours', variables: { name: 'Ada' } };
    const ofTemplate = { to: [{ address: newAddress() }], template };
    expect(await call('post /api/email/messages', 201, service, { body: ofTemplate })).toMatchObject({
      subject: 'For Ada',
      template: 'ours/1',
    });

    const address = newAddress();
    await world.mail.recipient(address, 'unknown', 1);
    await world.sendAndSettle(service, { to: [{ address }] });
    const elsewhere = await world.service();
    expect(statesOf(await world.send(elsewhere, { to: [{ address }] }))).toEqual({ [address]: 'suppressed' });
    await call(`get ${base}/suppressions`, 403, admin);
    const list = await call(`get ${base}/suppressions`, 200, platform);
    const suppression = list.data.find((one: { address: string }) => one.address === address);
    const ids = { id: suppression.id as string };
    await call(
      'delete /api/email/suppressions/{suppressionId}',
      404,
      world.admin(elsewhere['x-organization-id'] ?? ''),
      {
        ids: { suppressionId: ids.id },
      },
    );
    await call(`delete ${base}/suppressions/{id}`, 403, admin, { ids });
    await call(`delete ${base}/suppressions/{id}`, 204, platform, { ids });
    await call(`delete ${base}/suppressions/{id}`, 404, platform, { ids });
    expect(statesOf(await world.send(elsewhere, { to: [{ address }] }))).toEqual({ [address]: 'queued' });
    expect(statesOf(await world.send(service, { to: [{ address }] }))).toEqual({ [address]: 'suppressed' });

    await call(`delete ${base}/senders/{id}`, 403, admin, { ids: { id } });
    await call(`delete ${base}/senders/{id}`, 204, platform, { ids: { id } });
    await call(`delete ${base}/domains/{id}`, 403, admin, { ids: { id: domain.id } });
    await call(`delete ${base}/domains/{id}`, 204, platform, { ids: { id: domain.id } });
    await call(`delete ${base}/domains/{id}`, 404, platform, { ids: { id: domain.id } });
  });

  it('for every operation of mail', () => {
    const ofMail = documented.operations.filter((operation) => operation.includes('/email/'));
    expect([...walked].sort()).toEqual(ofMail.sort());
  });
});
