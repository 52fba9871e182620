import { randomUUID } from 'node:crypto';
import { HttpIdentityClient } from '#libs/platform-client';
import { FakeIdentity } from '#libs/platform-client/testing';
import { bearer, bootIdentity, SERVICE_TOKEN } from '../support/boot-identity.js';
import {
  type ContractPerson,
  type ContractWorld,
  describeIdentityContract,
} from '../support/identity-contract.js';

describeIdentityContract('the fake', () => {
  const client = new FakeIdentity();
  const world: ContractWorld = {
    client,
    person() {
      const [id, organizationId] = [randomUUID(), randomUUID()];
      const email = `${id}@example.com`;
      const token = client.user({ id, email, organizations: [{ id: organizationId, role: 'owner' }] });
      return Promise.resolve({ id, email, token, organizationId });
    },
    automation(kind, of, scopes, brandIds) {
      const minted = { name: 'Robot', organization: { id: of.organizationId, scopes, brandIds } };
      return Promise.resolve(kind === 'service' ? client.service(minted) : client.apiKey(minted));
    },
    revoke: (secret) => Promise.resolve(client.revoke(secret)),
    close: () => Promise.resolve(),
  };
  return Promise.resolve(world);
});

describeIdentityContract('the real one behind its client', async () => {
  const identity = await bootIdentity();
  const client = new HttpIdentityClient({
    identityUrl: identity.service.url,
    identityServiceToken: SERVICE_TOKEN,
    identityTimeoutMs: 5_000,
  });
  const undo = new Map<string, () => Promise<unknown>>();
  const world: ContractWorld = {
    client,
    async person() {
      const person = await identity.person();
      undo.set(person.token, async () =>
        identity.http.post('/api/auth/logout').set(bearer(person.token)).expect(204),
      );
      return person;
    },
    async automation(kind, of: ContractPerson, scopes, brandIds) {
      const path = `/api/organizations/${of.organizationId}/${kind === 'service' ? 'service-principals' : 'api-keys'}`;
      const { body } = await identity.http
        .post(path)
        .set(bearer(of.token))
        .send({ name: 'Robot', service: 'social-publishing', scopes, brandIds })
        .expect(201);
      const secret: string = body.token ?? body.key;
      undo.set(secret, async () =>
        kind === 'service'
          ? identity.http.post(`${path}/${body.id}/disable`).set(bearer(of.token)).expect(200)
          : identity.http.delete(`${path}/${body.id}`).set(bearer(of.token)).expect(200),
      );
      return secret;
    },
    async revoke(secret) {
      await undo.get(secret)?.();
    },
    async close() {
      await client.onApplicationShutdown();
      await identity.close();
    },
  };
  return world;
});
