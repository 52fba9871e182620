import { asService, bootIdentity } from '../support/boot-identity.js';
import { BusinessApi } from '../support/business-api.js';
import { callOf } from '../support/call.js';
import { ContentStage } from '../support/content-stage.js';
import { aMediaFile } from '../support/media-files.js';
import { documentOfTheForms, type FormDocument } from '../support/forms.js';
import { type Known, type Operation, valueOf } from '../support/operations.js';
import { PaymentsCaller } from '../support/payments-world.js';
import { ProvidersWorld } from '../support/providers-world.js';
import { bearer, Walk } from '../support/walk.js';

/** The operations of a walk by their operation ids, each with the body that Swagger UI shows. */
interface Prefilled {
  readonly id: string;
  readonly operation: Operation;
  /** Swagger UI shows the `example` of a body; without one it derives a body from the schema. */
  readonly body: object | undefined;
  /** The example of the served document, which Swagger UI leaves out where a caller has to name an id or a secret. */
  readonly published: object | undefined;
}

/** They need ids or secrets that only the caller knows; or nothing has to be sent. */
const EMPTY = ['transferBrand', 'reorderStages', 'moveContact'];
const EMPTY_AT_IDENTITY = [
  ...['refreshSession', 'revokeToken', 'changePassword', 'replacePermissionOverrides'],
  ...['rotateApiKey', 'rotateServicePrincipal'],
];
const EMPTY_AT_GATEWAY = ['addEmailSender', 'addPlatformEmailSender'];
/** Their providers sign the bytes of a body, so that no example can be accepted. */
const SIGNED = /\/webhooks\//;

const SUCCESSES = [200, 201, 202, 204];
/** Their bodies are accepted, and then the gateway, a channel, a trend or another resource is missing here. */
const MISSING: Readonly<Record<string, number[]>> = {
  generateImage: [503],
  beginVideoUpload: [422],
  correctUsageAttempt: [404],
  resolveEmailMessage: [404],
  updateSpendLimit: [404],
  signMediaParts: [409],
  suggestTrend: [404],
};
/** Of a body whose ids are replaced by others, which need not be in the state for the change. */
const OF_OTHER_IDS = [...SUCCESSES, 401, 404, 409];
const isEmpty = ({ body }: Prefilled) => body !== undefined && Object.keys(body).length === 0;
const idsOf = (operations: readonly Prefilled[]) => operations.map(({ id }) => id);

async function prefilledIn(walk: Walk): Promise<Prefilled[]> {
  const { paths } = await documentOfTheForms(walk.url);
  const served = (await (await fetch(`${walk.url}/openapi.json`)).json()) as FormDocument;
  return walk.withBodies.map((operation) => {
    const exampleIn = (document: FormDocument['paths']) =>
      document[operation.path]?.[operation.method.toLowerCase()]?.requestBody?.content['application/json']
        ?.example;
    const id = paths[operation.path]?.[operation.method.toLowerCase()]?.operationId ?? '';
    return { id, operation, body: exampleIn(paths), published: exampleIn(served.paths) };
  });
}

/** The value with the ids of `known` in place of those of its example. */
function withIds(value: unknown, known: Known): unknown {
  if (Array.isArray(value)) return value.map((part) => withIds(part, known));
  if (typeof value !== 'object' || value === null) return value;
  const idOf = (name: string) => (/Id$|^permission$/.test(name) ? valueOf(known[name]) : undefined);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, idOf(name) ?? withIds(part, known)]),
  );
}

/**
 * Sends each body that Swagger UI shows, and where that is empty the one that the served document has.
 * @param among what the operation needs, made for it alone
 * @param headersOf of a suitable caller
 */
async function send(
  walk: Walk,
  headersOf: (operation: Operation) => Record<string, string>,
  empty: readonly string[],
  among: (one: Prefilled) => Promise<Walk>,
): Promise<void> {
  const all = (await prefilledIn(walk)).filter(({ operation }) => !SIGNED.test(operation.path));
  for (const one of all) {
    const own = await among(one);
    const statuses = isEmpty(one) ? OF_OTHER_IDS : (MISSING[one.id] ?? SUCCESSES);
    const body = withIds(isEmpty(one) ? one.published : one.body, own.things.known);
    await walk.verdicts.on([one.operation], statuses, (operation) =>
      own.send(operation, headersOf(operation), body),
    );
  }
  expect({ empty: idsOf(all.filter(isEmpty)), faults: walk.verdicts.taken() }).toEqual({ empty, faults: [] });
}

describe('the prefilled bodies of Swagger UI are accepted or empty', () => {
  it('at the business API', async () => {
    const api = await BusinessApi.start();
    try {
      const stage = await ContentStage.set(api);
      const { brandId, organizationId } = stage;
      const walk = await Walk.through(api.service.url, api.as(), {});
      const { components } = await documentOfTheForms(api.service.url);
      expect(components.schemas.ImportContactsDto?.properties.mapping).toMatchObject({ type: 'string' });

      /** What is decided needs a post in the state for that. */
      const posts: Record<string, () => Promise<string>> = {
        rescheduleContentItem: () => stage.scheduled(),
        retryContentItem: () => stage.failed(),
        resolveContentItem: () => stage.failed('unconfirmed'),
      };
      const headers = { ...bearer(stage.token), 'x-brand-id': brandId };
      await send(
        walk,
        () => headers,
        EMPTY,
        async ({ id }) => {
          const contentId = await (posts[id] ?? (() => stage.suggestion()))();
          const names = { name: id, email: `${id}@example.com`, externalId: id };
          const { id: mediaId } = await aMediaFile(api.test.database, brandId);
          return walk.by(stage.person, { brandId, organizationId, contentId, mediaId, ...names });
        },
      );
    } finally {
      await api.stop();
    }
  });

  it('at identity', async () => {
    const identity = await bootIdentity({ RATE_LIMIT_PER_MINUTE: '0' });
    try {
      const [owner, member] = [await identity.person(), await identity.person({ organization: false })];
      const person = callOf(identity.service.url, bearer(owner.token));
      const walk = await Walk.through(identity.service.url, callOf(identity.service.url, {}), {});
      const organization = walk.served.operations.find(
        ({ name }) => name === 'get /api/organizations/{organizationId}',
      ) as Operation;
      const { body: permissions } = await person('GET', '/api/services/social-publishing/permissions');
      const permission = permissions.data[0].permission as string;
      const headersOf = ({ isOfServices }: Operation) => (isOfServices ? asService : bearer(owner.token));
      await send(walk, headersOf, EMPTY_AT_IDENTITY, async () => {
        const own = walk.by(person, { userId: member.id, service: 'social-publishing', permission });
        const organizationId = (await own.things.address(organization)).split('/').at(-1);
        await identity.join(owner, member, 'viewer', organizationId);
        return own;
      });
    } finally {
      await identity.close();
    }
  });

  it('at the gateway', async () => {
    const world = await ProvidersWorld.open({ PAYMENT_RETURN_ORIGINS: 'http://127.0.0.1:3000' });
    try {
      const { url } = world.gateway.service;
      const [service, { owner, platformAdmin }] = [await world.service, world];
      const headersOf = ({ path, isOfServices }: Operation) =>
        isOfServices ? service : path.startsWith('/api/platform/') ? platformAdmin : owner;
      const walk = await Walk.through(url, callOf(url, {}), {});
      const payments = new PaymentsCaller(url, service, world.organizationId);
      const create = async (path: string, body: object): Promise<string> =>
        (await payments.post(path, body).expect(201)).body.id;
      const subscription = await payments.subscription(world.payments, 3);
      const known = {
        ...{ name: 'welcome', model: 'openai/gpt-5.4-mini' },
        productId: await create('/products', { name: 'Seats' }),
        priceId: await payments.price(),
        customerId: await create('/customers', { name: 'Acme' }),
        ...{ id: subscription.id, subscriptionId: subscription.id, itemId: subscription.itemId },
      };
      await send(walk, headersOf, EMPTY_AT_GATEWAY, ({ operation }) =>
        Promise.resolve(walk.by(callOf(url, headersOf(operation)), known)),
      );
    } finally {
      await world.close();
    }
  });
});
