import { BusinessApi } from '../support/business-api.js';
import { connectAccount } from '../support/connect-account.js';
import { SandboxForTests } from '../support/sandbox.js';

/** X knows apps that cannot keep a secret: they name themselves in the body instead. */
describe('integrations of a service that is a public client of X', () => {
  const internalToken = 'an-internal-token-of-at-least-32-characters';
  let api: BusinessApi;
  let sandbox: SandboxForTests;

  beforeAll(async () => {
    sandbox = await SandboxForTests.start({}, undefined, { id: 'sandbox-client', secret: null });
    api = await BusinessApi.start({
      INTERNAL_SERVICE_TOKEN: internalToken,
      PUBLIC_URL: 'http://127.0.0.1:3000',
      X_API_URL: `${sandbox.url}/x`,
      X_CLIENT_ID: 'sandbox-client',
    });
  });

  afterAll(async () => {
    await api.stop();
    await sandbox.stop();
  });

  it('connects an account, renews its tokens and revokes them at the network', async () => {
    const as = api.as(api.person().token);
    const brand = await as('POST', '/api/brands', { name: 'Acme' });
    const brandId = brand.body.id as string;
    const page = await connectAccount(
      { api, sandbox },
      { call: as, platform: 'x', brandId, username: 'northwind' },
    );
    expect(page.status).toBe(200);

    const { body } = await as('GET', '/api/integrations');
    const [{ id }] = body.data as [{ id: string }];
    const renewed = await fetch(`${api.service.managementUrl}/internal/connections/${id}/refresh`, {
      method: 'POST',
      headers: { authorization: `Bearer ${internalToken}` },
    });
    expect(await renewed.json()).toEqual({ result: 'refreshed' });

    expect((await as('DELETE', `/api/integrations/${id}`)).status).toBe(204);
    const { body: left } = await sandbox.control('POST', '/x/accounts/northwind/revoke');
    expect(left.grants).toBe(0);
  });
});
