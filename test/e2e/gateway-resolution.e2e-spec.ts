import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { type AiWorld, completes, openAiWorld, refuses } from '../support/ai-world.js';

const HELLO = { messages: [{ role: 'user', content: 'Say hello.' }] };
const MAIL = 'the-dedicated-token-of-the-mail-service';
const PLATFORM = 'sk-of-the-platform-0123456789';
const OWN = 'sk-of-the-organization-012345';

describe('the credential and the attribution of a call', () => {
  let world: AiWorld;
  let organizationId: string;
  let headers: Record<string, string>;
  let manager: Record<string, string>;

  beforeAll(async () => {
    world = await openAiWorld({ GATEWAY_SERVICE_TOKENS: `mail:${MAIL}` });
    await world.model('openai/first');
    await world.credential({ provider: 'openai', secret: PLATFORM });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    organizationId = randomUUID();
    headers = await world.gateway.headers({ organizationId, token: MAIL, application: 'mail' });
    const scopes = ['provider_credentials.manage'];
    const token = world.gateway.identity.user({ organizations: [{ id: organizationId, scopes }] });
    manager = { authorization: `Bearer ${token}` };
    await world.prefer(organizationId, { default: 'openai/first' });
    world.openai.respond(completes('Hello.'));
  });

  const complete = (url = world.gateway.service.url, more: Record<string, string> = {}) =>
    request(url)
      .post('/api/ai/completions')
      .set({ ...headers, ...more })
      .send(HELLO);
  const manage = (method: 'post' | 'patch' | 'delete', path = '', body: object = {}) =>
    request(world.gateway.service.url)[method](`/api/credentials${path}`).set(manager).send(body);
  const addOwn = async (): Promise<string> => {
    const { body } = await manage('post', '', { provider: 'openai', label: 'Own', secret: OWN }).expect(201);
    return body.id as string;
  };
  /** The keys that the provider got since its responses were given. */
  const keys = () => world.openai.calls.map((call) => call.headers.authorization);

  it("GW-05: is the organization's own before the platform's, with every change from the next call", async () => {
    await complete().expect(200);
    const id = await addOwn();
    const { body } = await complete().expect(200);
    expect(body.attempts).toEqual([expect.objectContaining({ credential: 'own' })]);
    await manage('post', `/${id}/rotate`, { secret: `${OWN}-rotated` }).expect(200);
    const replica = await world.gateway.replica();
    await complete(replica.url).expect(200);
    await manage('patch', `/${id}`, { enabled: false }).expect(200);
    await complete().expect(200);
    await manage('patch', `/${id}`, { enabled: true }).expect(200);
    await complete(replica.url).expect(200);
    await manage('delete', `/${id}`).expect(204);
    await complete(replica.url).expect(200);
    const [platform, own, rotated] = [PLATFORM, OWN, `${OWN}-rotated`].map((key) => `Bearer ${key}`);
    expect(keys()).toEqual([platform, own, rotated, platform, rotated, platform]);
  });

  it('GW-05: is never the one of the platform because the own one does not work', async () => {
    await addOwn();
    world.openai.respond(refuses(401, 'invalid_api_key'));
    const { body } = await complete();
    expect(body.code).toBe('provider_credential');
    expect(JSON.stringify(body)).not.toContain(OWN);
    expect(new Set(keys())).toEqual(new Set([`Bearer ${OWN}`]));
  });

  it('GW-05: is never one of another organization', async () => {
    await addOwn();
    const other = randomUUID();
    await world.prefer(other, { default: 'openai/first' });
    headers = await world.gateway.headers({ organizationId: other, token: MAIL, application: 'mail' });
    await complete().expect(200);
    expect(keys()).toEqual([`Bearer ${PLATFORM}`]);
  });

  it('GW-29: are logged to the user, the organization and the application of the mail service', async () => {
    const userId = randomUUID();
    world.gateway.identity.join(userId, organizationId);
    await complete(undefined, { 'x-user-id': userId }).expect(200);
    await world.usage(organizationId);
    const rows = await world.gateway.test.database.query(
      'SELECT user_id, organization_id, application_id FROM gateway.usage WHERE organization_id = $1',
      [organizationId],
    );
    const { id: applicationId } = (await world.gateway.identity.registration('mail')) ?? {};
    expect(rows).toEqual([
      { user_id: userId, organization_id: organizationId, application_id: applicationId },
    ]);
  });

  it('GW-28: the mail service draws no images', async () => {
    const { body } = await request(world.gateway.service.url)
      .post('/api/ai/images')
      .set(headers)
      .send({ prompt: 'A lighthouse' })
      .expect(403);
    expect(body.code).toBe('capability_not_allowed');
    expect(world.openai.calls).toEqual([]);
  });
});
