import { randomUUID } from 'node:crypto';
import { type ClaimedAttribution, type IdentityClient, IdentityIsUnavailable } from '#libs/platform-client';

export interface ContractPerson {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly organizationId: string;
}

/** Operations that the suite requires of an identity, fake or real. */
export interface ContractWorld {
  readonly client: IdentityClient;
  /** Owner of an organization of their own. */
  person(): Promise<ContractPerson>;
  automation(
    kind: 'service' | 'api_key',
    of: ContractPerson,
    scopes: string[],
    brandIds: string[] | null,
  ): Promise<string>;
  /** A person's session ends, a key is revoked, a principal disabled. */
  revoke(secret: string): Promise<void>;
  close(): Promise<void>;
}

const service = 'social-publishing';
const bearer = (token: string) => ({ authorization: `Bearer ${token}`, service });
const aUuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** The contract of identity for services. The fake must pass it too. */
export function describeIdentityContract(name: string, open: () => Promise<ContractWorld>): void {
  describe(`${name}, as an identity`, () => {
    let world: ContractWorld;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    it('returns a person with organizations and permissions', async () => {
      const person = await world.person();
      const caller = await world.client.validate(bearer(person.token));
      expect(caller).toEqual({
        expiresAt: caller?.expiresAt === null ? null : expect.stringMatching(/Z$/),
        principal: { id: person.id, type: 'user', name: 'Ada Lovelace', email: person.email },
        user: {
          ...{ id: person.id, name: 'Ada Lovelace', email: person.email, principalType: 'user' },
          ...{ principalServices: [], launcherEligible: true },
          ...{ selectedHouseholdId: null, selectedHousehold: null },
        },
        service: { id: aUuid, slug: service },
        organizations: [
          {
            ...{
              id: person.organizationId,
              name: expect.any(String),
              role: 'owner',
              brandIds: null,
              isAdministrative: false,
            },
            scopes: expect.arrayContaining(['posts.read', 'posts.write']),
          },
        ],
      });
    });

    it.each(['service', 'api_key'] as const)(
      'says of a %s what it may do, and for which brands',
      async (kind) => {
        const person = await world.person();
        const brandIds = [randomUUID()];
        const secret = await world.automation(kind, person, ['posts.read'], brandIds);
        const sent = kind === 'service' ? bearer(secret) : { apiKey: secret, service };
        const caller = await world.client.validate(sent);
        expect(caller?.principal).toEqual({ id: aUuid, type: kind, name: 'Robot', email: null });
        expect(caller?.user).toMatchObject({ principalType: kind, launcherEligible: false, email: null });
        expect(caller?.organizations).toEqual([
          {
            id: person.organizationId,
            name: expect.any(String),
            role: kind,
            scopes: ['posts.read'],
            brandIds,
            isAdministrative: false,
          },
        ]);
      },
    );

    it('refuses credentials that it did not issue, as final', async () => {
      for (const authorization of ['Bearer nonsense', 'Bearer', 'Basic YTpi', 'Bearer a b', '']) {
        expect(await world.client.validate({ authorization, service })).toBeNull();
      }
      expect(await world.client.validate({ apiKey: 'nonsense', service })).toBeNull();
      expect(await world.client.validate({ apiKey: '', service })).toBeNull();
      expect(await world.client.validate({ service })).toBeNull();
    });

    it('accepts no key as a bearer, and no bearer as a key', async () => {
      const person = await world.person();
      const key = await world.automation('api_key', person, ['posts.read'], null);
      expect(await world.client.validate(bearer(key))).toBeNull();
      expect(await world.client.validate({ apiKey: person.token, service })).toBeNull();
    });

    it('requires that a bearer and a key sent together are valid and of one organization', async () => {
      const [person, other] = [await world.person(), await world.person()];
      const brandIds = [randomUUID()];
      const apiKey = await world.automation('api_key', person, ['posts.read'], brandIds);
      const caller = await world.client.validate({ ...bearer(person.token), apiKey });
      expect(caller?.principal.id).toBe(person.id);
      expect(caller?.organizations).toEqual([
        expect.objectContaining({
          ...{ id: person.organizationId, role: 'owner', scopes: ['posts.read'], brandIds },
        }),
      ]);
      expect(await world.client.validate({ ...bearer(other.token), apiKey })).toBeNull();
      expect(await world.client.validate({ ...bearer('nonsense'), apiKey })).toBeNull();
      expect(await world.client.validate({ ...bearer(person.token), apiKey: 'nonsense' })).toBeNull();
      expect(await world.client.validate({ ...bearer(person.token), apiKey: '' })).toBeNull();
    });

    it('refuses from the next validation after a revocation', async () => {
      const person = await world.person();
      const key = await world.automation('api_key', person, ['posts.read'], null);
      const robot = await world.automation('service', person, ['posts.read'], null);
      for (const [secret, sent] of [
        [key, { apiKey: key, service }],
        [robot, bearer(robot)],
        [person.token, bearer(person.token)],
      ] as const) {
        expect(await world.client.validate(sent)).not.toBeNull();
        await world.revoke(secret);
        expect(await world.client.validate(sent)).toBeNull();
      }
    });

    it('answers credentials that are sent at the same time each as alone', async () => {
      const [person, other] = [await world.person(), await world.person()];
      const key = await world.automation('api_key', person, ['posts.read'], [randomUUID()]);
      const robot = await world.automation('service', other, ['posts.read'], null);
      const revoked = await world.automation('service', other, ['posts.read'], null);
      const asked = [
        bearer(person.token),
        bearer(other.token),
        { apiKey: key, service },
        { ...bearer(person.token), apiKey: key },
        bearer(robot),
        bearer(revoked),
      ];
      const alone = [];
      for (const credentials of asked) alone.push(await world.client.validate(credentials));
      expect(alone).not.toContain(null);
      await world.revoke(revoked);
      alone[5] = null;
      const unknown = { ...bearer(person.token), service: 'nothing' };
      const together = await Promise.allSettled(
        [...asked, unknown, bearer('nonsense')].map((credentials) => world.client.validate(credentials)),
      );
      expect(together).toEqual([
        ...alone.map((value) => ({ status: 'fulfilled', value })),
        { status: 'rejected', reason: expect.any(IdentityIsUnavailable) },
        { status: 'fulfilled', value: null },
      ]);
    });

    it('returns no permissions for an unknown service', async () => {
      const { token } = await world.person();
      const asked = world.client.validate({ ...bearer(token), service: 'nothing' });
      await expect(asked).rejects.toThrow(IdentityIsUnavailable);
    });

    it('finds services by slug, equal to those in its responses', async () => {
      const { token } = await world.person();
      const found = await world.client.findService(service, `Bearer ${token}`);
      const caller = await world.client.validate(bearer(token));
      expect(found).toMatchObject({ id: caller?.service.id, slug: service, launchable: true });
      expect(await world.client.findService('nothing', `Bearer ${token}`)).toBeNull();
    });

    it('tells a service without a bearer token the registered identifier of a slug', async () => {
      const { token } = await world.person();
      const found = await world.client.registration(service);
      expect(found).toMatchObject({ slug: service });
      expect(found?.id).toBe((await world.client.findService(service, `Bearer ${token}`))?.id);
      expect(await world.client.registration('nothing')).toBeNull();
    });

    it('verifies applications, organizations and members, and denies unknown ones', async () => {
      const [person, other] = [await world.person(), await world.person()];
      const { organizationId, id: userId } = person;
      const { id: applicationId } = (await world.client.registration(service)) ?? {};
      const verify = (claimed: ClaimedAttribution) => world.client.verifyAttribution(claimed);
      const application = { id: applicationId, slug: service };
      const all = { application, organizationExists: true, isMember: true };
      expect(await verify({ applicationId, organizationId, userId })).toEqual(all);
      expect(await verify({ organizationId, userId: other.id })).toEqual({
        ...{ application: null, organizationExists: true, isMember: false },
      });
      const nothing = { application: null, organizationExists: false, isMember: false };
      const unknown = randomUUID();
      expect(await verify({})).toEqual(nothing);
      expect(await verify({ applicationId: unknown, organizationId: unknown, userId })).toEqual(nothing);
      expect(await verify({ applicationId: 'x', organizationId: "'", userId: '' })).toEqual(nothing);
    });

    it('returns the permissions of a person to that person only', async () => {
      const [person, other] = [await world.person(), await world.person()];
      const mine = await world.client.permissionsOf(person.id, `Bearer ${person.token}`);
      const id = (await world.client.findService(service, `Bearer ${person.token}`))?.id;
      expect(mine?.userId).toBe(person.id);
      expect(mine?.effectivePermissions).toContain(`${id}.posts:write`);
      expect(await world.client.permissionsOf(person.id, `Bearer ${other.token}`)).toBeNull();
      expect(await world.client.permissionsOf(person.id, 'Bearer nonsense')).toBeNull();
    });
  });
}
