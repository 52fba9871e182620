import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import type { Answer } from '../support/call.js';
import { ask, callOf } from '../support/call.js';
import { Documented } from '../support/documented.js';
import type { Operation } from '../support/operations.js';
import { ServedApi } from '../support/operations.js';
import { Things } from '../support/things.js';
import { Verdicts } from '../support/verdicts.js';

const MEGABYTE = 1_048_576;

describe('every operation of the business API', () => {
  let api: BusinessApi;
  let served: ServedApi;
  let verdicts: Verdicts;
  let owner: ReturnType<BusinessApi['person']>;
  let stranger: ReturnType<BusinessApi['person']>;
  let things: Things;
  let withBodies: Operation[];

  beforeAll(async () => {
    api = await BusinessApi.start({ X_CLIENT_ID: 'client', X_CLIENT_SECRET: 'secret' });
    served = await ServedApi.at(api.service.url);
    verdicts = new Verdicts(await Documented.by(api.service.url));
    [owner, stranger] = [api.person(), api.person()];
    const person = api.as(owner.token);
    const brandId = (await person('POST', '/api/brands', { name: 'Acme' })).body.id as string;
    const post = { brandId, platform: 'x', text: 'Known by its words' };
    const contentId = (await person('POST', '/api/posts', post)).body.id as string;
    const known = { brandId, contentId, organizationId: owner.organizationId, ...(await connected(brandId)) };
    things = new Things(served, person, known);
    withBodies = served.operations.filter(({ body }) => body !== undefined);
    for (const operation of served.operations) await things.address(operation);
  });
  afterAll(() => api.stop());

  const connected = async (brandId: string) => {
    const connectionId = randomUUID();
    await api.test.database.query(
      `INSERT INTO integrations.connection (id, brand_id, user_id, platform, account_id, username, display_name, scopes,
         pages, groups, state, access_token)
       VALUES ($1, $2, $3, 'x', '1', 'acme', 'Acme', '{}', '[]', '[]', 'active', 'sealed')`,
      [connectionId, brandId, owner.id],
    );
    return { connectionId };
  };

  /** Sends a good request, but for what a test makes wrong about it. */
  const send = async (
    operation: Operation,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> =>
    callOf(api.service.url, headers)(
      operation.method,
      await things.address(operation),
      body ?? things.body(operation),
    );
  const sendText = async (operation: Operation, text: string, type = 'application/json'): Promise<Answer> =>
    ask(api.service.url + (await things.address(operation)), {
      method: operation.method,
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': type },
      body: text,
    });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const eventCount = async (): Promise<number> => {
    const [row] = await api.test.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM events.event',
    );
    return row?.count ?? 0;
  };
  const names = (operations: readonly Operation[]) => operations.map(({ name }) => name);

  it('is found in the document, and what is asked about exists', () => {
    expect(served.operations.length).toBeGreaterThan(25);
    expect(withBodies.length).toBeGreaterThan(8);
    expect(things.existing).toEqual(expect.arrayContaining(['/api/brands/{brandId}', '/api/posts/{postId}']));
  });

  it('wants a caller, but for those that say they do not', async () => {
    const before = await eventCount();
    expect(
      names(served.operations.filter(({ isPublic }) => isPublic)).filter((name) =>
        /^(post|put|patch|delete) /.test(name),
      ),
    ).toEqual([]);
    const wrong: Record<string, string>[] = [
      {},
      bearer('nonsense'),
      bearer('copa_'.padEnd(60, '0')),
      { authorization: 'Basic YTpi' },
      { 'x-api-key': 'nonsense' },
      { ...bearer(owner.token), 'x-api-key': 'nonsense' },
    ];
    for (const headers of wrong) {
      await verdicts.on(served.guarded, [401], (operation) => send(operation, headers));
    }
    expect(verdicts.taken()).toEqual([]);
    expect(await eventCount()).toBe(before);
  });

  it('takes an API key only where it says so', async () => {
    const key = api.identity.apiKey({ organization: { id: stranger.organizationId } });
    const others = served.guarded.filter(({ takesApiKey }) => !takesApiKey);
    await verdicts.on(others, [401], (operation) => send(operation, { 'x-api-key': key }));
    const those = served.guarded.filter(({ takesApiKey }) => takesApiKey);
    await verdicts.on(those, [200, 404], (operation) => send(operation, { 'x-api-key': key }));
    expect(verdicts.taken()).toEqual([]);
    expect(those.length).toBeGreaterThan(5);
  });

  it('wants a scope', async () => {
    const nothing = api.identity.user({ organizations: [{ id: owner.organizationId, scopes: [] }] });
    await verdicts.on(served.guarded, [403], (operation) => send(operation, bearer(nothing)));
    expect(verdicts.taken()).toEqual([]);
  });

  it('answers another organization as if there were nothing, changes nothing and shows nothing', async () => {
    const isOwned = ({ path }: Operation) => path.includes('{');
    const namesBrand = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'X-Brand-ID');
    const [brandId] = [String(things.known.brandId)];
    const before = await eventCount();
    const key = api.identity.apiKey({ organization: { id: stranger.organizationId } });
    for (const headers of [bearer(stranger.token), { 'x-api-key': key }]) {
      const asked =
        'authorization' in headers ? served.guarded : served.guarded.filter((one) => one.takesApiKey);
      await verdicts.on(asked.filter(isOwned), [404], (operation) => send(operation, headers));
      await verdicts.on(asked.filter(namesBrand), [404], (operation) =>
        send(operation, { ...headers, 'x-brand-id': brandId }),
      );
      const open = asked.filter((one) => !isOwned(one) && one.method === 'GET');
      await verdicts.on(open, [200], async (operation) => {
        const answer = await send(operation, headers);
        const seen = [...things.ids, brandId, owner.organizationId, 'Acme'].filter((id) =>
          answer.text.includes(id),
        );
        expect({ operation: operation.name, seen }).toEqual({ operation: operation.name, seen: [] });
        return answer;
      });
    }
    expect(verdicts.taken()).toEqual([]);
    expect(await eventCount()).toBe(before);
    await verdicts.on(
      served.guarded.filter((one) => isOwned(one) && !namesBrand(one) && one.method === 'GET'),
      [200, 302],
      (operation) => send(operation, bearer(owner.token)),
    );
    expect(verdicts.taken()).toEqual([]);
  });

  it('refuses what is not JSON, not its own JSON, not text, too large', async () => {
    const before = await eventCount();
    for (const text of [
      '{"text":',
      '{"a":1}}',
      'nonsense',
      '\u0000',
      '{"a":"\\ud800"}',
      '{"__proto__":{"a":1}}',
    ]) {
      await verdicts.on(withBodies, [400], (operation) => sendText(operation, text));
    }
    for (const body of [[], 'text', 7, [[]], { notAField: 1 }]) {
      await verdicts.on(withBodies, [400], (operation) => sendText(operation, JSON.stringify(body)));
    }
    await verdicts.on(withBodies, [400], (operation) => {
      const sample = things.body(operation) as object;
      return sendText(operation, JSON.stringify({ ...sample, notAField: 'x' }));
    });
    const large = JSON.stringify({ text: 'x'.repeat(MEGABYTE) });
    await verdicts.on(withBodies, [413], (operation) => sendText(operation, large));
    await verdicts.on(withBodies, [415], (operation) => sendText(operation, '<text/>', 'application/xml'));
    expect(verdicts.taken()).toEqual([]);
    expect(await eventCount()).toBe(before);
  });

  it('knows nothing by what cannot be an id', async () => {
    const before = await eventCount();
    const strange = [
      'nope',
      '0',
      '-1',
      'null',
      '%00',
      '%F0%9F%92%A9',
      '%2e%2e',
      "'%20OR%201=1",
      'x'.repeat(2_000),
    ];
    const addressed = served.guarded.filter(({ path }) => path.includes('{'));
    for (const id of strange) {
      await verdicts.on(addressed, [404], (operation) =>
        callOf(api.service.url, bearer(owner.token))(
          operation.method,
          `${operation.path.replace(/\{\w+\}/g, id)}?brandId=${String(things.known.brandId)}`,
          things.body(operation),
        ),
      );
    }
    const branded = served.guarded.filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'X-Brand-ID'),
    );
    for (const id of ['x', '0', 'null', randomUUID().slice(1)]) {
      await verdicts.on(branded, [404], (operation) =>
        send(operation, { ...bearer(owner.token), 'x-brand-id': id }),
      );
    }
    expect(verdicts.taken()).toEqual([]);
    expect(await eventCount()).toBe(before);
  });

  it('takes the bodies that its own examples make', async () => {
    await verdicts.on(withBodies, [200, 201, 204, 404, 409, 503], (operation) =>
      send(operation, bearer(owner.token)),
    );
    expect(verdicts.taken()).toEqual([]);
  });
});
