import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import type { Operation } from '../support/operations.js';
import { aMediaFile } from '../support/media-files.js';
import { existenceLeaks } from '../support/existence-leaks.js';
import { CompletionsStandIn, refuses } from '../support/trends-world.js';
import { bearer, isAddressed, isOfBrand, names, Walk } from '../support/walk.js';

const namesBrand = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'X-Brand-ID');

/** A network authenticates itself by a signature (signed-callbacks.e2e-spec.ts). */
const SIGNED = ['deauthorize', 'data-deletion'].map((name) => `post /api/integrations/{platform}/${name}`);

/** The form of a page takes a token that works once (integrations.e2e-spec.ts). */
const CONFIRMED = 'post /api/integrations/{platform}/connect/start';

/** Its body is accepted, and then the stand-in for the gateway refuses it (ai-images.e2e-spec.ts draws). */
const OF_THE_GATEWAY = 'post /api/ai/generate-image';

describe('every operation of the business API', () => {
  let gateway: CompletionsStandIn;
  let api: BusinessApi;
  let walk: Walk;
  let owner: ReturnType<BusinessApi['person']>;
  let stranger: ReturnType<BusinessApi['person']>;
  let brandId: string;
  let guarded: readonly Operation[];

  beforeAll(async () => {
    gateway = await CompletionsStandIn.start();
    const token = randomUUID();
    api = await BusinessApi.start({
      ...{ X_CLIENT_ID: 'client', X_CLIENT_SECRET: 'secret' },
      ...{ GATEWAY_URL: gateway.url, GATEWAY_SERVICE_TOKEN: token, IDENTITY_SERVICE_TOKEN: token },
    });
    [owner, stranger] = [api.person(), api.person()];
    const person = api.as(owner.token);
    brandId = (await person('POST', '/api/brands', { name: 'Acme' })).body.id as string;
    const post = { brandId, platform: 'x', text: 'Known by its words' };
    const contentId = (await person('POST', '/api/posts', post)).body.id as string;
    const contactId = (await person('POST', '/api/contacts', { name: 'Known by name' })).body.id as string;
    // Whoever looks at their pipelines for the first time has a default one made.
    for (const { token } of [owner, stranger]) await api.as(token)('GET', '/api/pipeline');
    const { organizationId } = owner;
    const { id: mediaId } = await aMediaFile(api.test.database, brandId, { fileName: 'Known by its words' });
    const known = { mediaId, brandId, contentId, contactId, organizationId, connectionId: await connected() };
    walk = await Walk.through(api.service.url, person, known);
    guarded = walk.served.guarded;
  });
  afterAll(async () => {
    await api.stop();
    await gateway.stop();
  });

  const connected = async (): Promise<string> => {
    const connectionId = randomUUID();
    await api.test.database.query(
      `INSERT INTO integrations.connection (id, brand_id, user_id, platform, account_id, username, display_name, scopes,
         pages, groups, state, access_token)
       VALUES ($1, $2, $3, 'x', '1', 'acme', 'Acme', '{}', '[]', '[]', 'active', 'sealed')`,
      [connectionId, brandId, owner.id],
    );
    return connectionId;
  };
  /** Runs it, and sees that nothing is recorded and no answer is other than it should be. */
  const inVain = async (asking: () => Promise<void>): Promise<void> => {
    // What a caller does in the own organization, such as an export of it, is recorded there.
    const elsewhere = [JSON.stringify({ organizationId: stranger.organizationId })];
    const count = 'SELECT count(*)::int AS count FROM events.event WHERE NOT metadata @> $1::jsonb';
    const recorded = () => api.test.database.query(count, elsewhere);
    const before = await recorded();
    await asking();
    expect(walk.verdicts.taken()).toEqual([]);
    expect(await recorded()).toEqual(before);
  };

  it('is in the document, and the tested resources exist', () => {
    expect(guarded.length).toBeGreaterThan(20);
    expect(walk.withBodies.length).toBeGreaterThan(8);
    expect(walk.things.existing).toEqual(
      expect.arrayContaining(['/api/brands/{brandId}', '/api/posts/{postId}']),
    );
    const open = walk.served.operations.filter(({ isPublic }) => isPublic);
    expect(names(open).filter((name) => /^(post|put|patch|delete) /.test(name))).toEqual([
      CONFIRMED,
      ...SIGNED,
    ]);
  });

  it('requires credentials, except documented public operations', () =>
    inVain(async () => {
      const wrong: Record<string, string>[] = [
        {},
        bearer('nonsense'),
        bearer('copa_'.padEnd(60, '0')),
        { authorization: 'Basic YTpi' },
        { 'x-api-key': 'nonsense' },
        { ...bearer(owner.token), 'x-api-key': 'nonsense' },
      ];
      for (const headers of wrong) await walk.on(guarded, [401], headers);
    }));

  it('accepts an API key only where documented', () =>
    inVain(async () => {
      const key = api.identity.apiKey({ organization: { id: stranger.organizationId } });
      const [those, others] = [true, false].map((takes) =>
        guarded.filter(({ takesApiKey }) => takesApiKey === takes),
      ) as [Operation[], Operation[]];
      expect([those.length > 5, others.length > 5]).toEqual([true, true]);
      await walk.on(others, [401], { 'x-api-key': key });
      await walk.on(those, [200, 404], { 'x-api-key': key });
    }));

  it('requires a scope', () =>
    inVain(async () => {
      const nobody = api.identity.user({ organizations: [{ id: owner.organizationId, scopes: [] }] });
      await walk.on(guarded, [403], bearer(nobody));
    }));

  it.each(['bearer', 'key'])(
    'answers the %s of another organization as if there were nothing, changes nothing and shows nothing',
    (kind) =>
      inVain(async () => {
        const organization = { id: stranger.organizationId };
        const [headers, asked] =
          kind === 'bearer'
            ? [bearer(stranger.token), guarded]
            : [
                { 'x-api-key': api.identity.apiKey({ organization }) },
                guarded.filter(({ takesApiKey }) => takesApiKey),
              ];
        await walk.on(asked.filter(isAddressed), [404], headers);
        await walk.on(asked.filter(namesBrand), [404], { ...headers, 'x-brand-id': brandId });
        const open = asked.filter((one) => !isAddressed(one) && !isOfBrand(one) && one.method === 'GET');
        expect(open.length).toBeGreaterThan(2);
        await walk.verdicts.on(open, [200], async (operation) => {
          const answer = await walk.send(operation, headers);
          const theirs = [...walk.things.ids, brandId, owner.organizationId, 'Acme', 'Known by its words'];
          const seen = theirs.filter((text) => answer.text.includes(text));
          expect({ operation: operation.name, seen }).toEqual({ operation: operation.name, seen: [] });
          return answer;
        });
      }),
  );

  it.each(['bearer', 'key'])(
    'lets the %s of another organization find out nothing about what exists',
    (kind) =>
      inVain(async () => {
        const organization = { id: stranger.organizationId };
        const headers: Record<string, string> =
          kind === 'bearer' ? bearer(stranger.token) : { 'x-api-key': api.identity.apiKey({ organization }) };
        const mine = kind === 'bearer' ? guarded : guarded.filter(({ takesApiKey }) => takesApiKey);
        const { asked, leaks } = await existenceLeaks(walk, mine, headers);
        expect(leaks).toEqual([]);
        expect(asked).toBeGreaterThan(10);
      }),
  );

  it('shows resources to their own organization that it hides from others', () =>
    inVain(async () => {
      const reads = guarded.filter((one) => one.method === 'GET' && isAddressed(one));
      const there = reads.filter((one) => walk.things.hasAll(one));
      expect(there.length).toBeGreaterThan(4);
      await walk.on(there, [200, 302], bearer(owner.token));
    }));

  it('warns about unknown parameters in each list', () =>
    inVain(async () => {
      expect(walk.served.lists.length).toBeGreaterThan(9);
      expect(await walk.silentLists(bearer(owner.token))).toEqual([]);
    }));

  it('documents 304 and returns it for a current ETag', () =>
    inVain(async () => {
      const asked = async (operation: Operation, more: Record<string, string> = {}) =>
        walk.send(operation, { ...bearer(owner.token), ...more });
      const reads = guarded.filter((one) => one.method === 'GET' && isAddressed(one));
      const tagged: [Operation, string][] = [];
      for (const operation of reads) {
        const etag = (await asked(operation)).headers.get('etag');
        if (etag) tagged.push([operation, etag]);
      }
      expect(tagged.length).toBeGreaterThan(3);
      for (const [operation, etag] of tagged)
        await walk.verdicts.on([operation], [304], (one) => asked(one, { 'if-none-match': etag }));
    }));

  it('refuses bodies that are not JSON, of another schema, not text or too large', () =>
    inVain(() => walk.sendBrokenBodies(bearer(owner.token))));

  it('returns 404 for an invalid id', () =>
    inVain(async () => {
      await walk.sendStrangeIds(guarded.filter(isAddressed), bearer(owner.token));
      for (const id of ['x', '0', 'null', randomUUID().slice(1)])
        await walk.on(guarded.filter(namesBrand), [404], { ...bearer(owner.token), 'x-brand-id': id });
    }));

  it('accepts the bodies of its own examples', async () => {
    gateway.respond = refuses(503, 'providers_unavailable');
    const [local, ofGateway] = [false, true].map((isOf) =>
      walk.withBodies.filter(({ name }) => (name === OF_THE_GATEWAY) === isOf),
    ) as [Operation[], Operation[]];
    await walk.on(local, [200, 201, 202, 204, 404, 409], bearer(owner.token));
    await walk.on(ofGateway, [503], bearer(owner.token));
    expect(walk.verdicts.taken()).toEqual([]);
  });
});
