import { bootIdentity } from '../support/boot-identity.js';
import { BusinessApi } from '../support/business-api.js';
import { callOf } from '../support/call.js';
import { ContentStage } from '../support/content-stage.js';
import { aMediaFile } from '../support/media-files.js';
import type { Operation } from '../support/operations.js';
import { bearer, Walk } from '../support/walk.js';

/** The operations of a walk by their operation ids, each with the body that Swagger UI shows. */
interface Prefilled {
  readonly id: string;
  readonly operation: Operation;
  /** Swagger UI shows the `example` of a body; without one it derives a body from the schema. */
  readonly body: object | undefined;
}

/** They need ids or secrets that only the caller knows; or nothing has to be sent. */
const EMPTY = ['transferBrand', 'signMediaParts', 'createPosts', 'reorderStages', 'moveContact'];
const EMPTY_AT_IDENTITY = [
  ...['refresh', 'revoke', 'changePassword', 'validateBatch', 'replacePermissionOverrides'],
  ...['rotateApiKey', 'rotateServicePrincipal'],
];

interface FormDocument {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, object>> }>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, FormOperation>>>>;
}

interface FormOperation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
}

const SUCCESSES = [200, 201, 202, 204];
/** Their bodies are accepted, and then the gateway or a trend is missing here. */
const MISSING: Readonly<Record<string, number[]>> = { generateImage: [503], suggestTrend: [404] };
const isEmpty = ({ body }: Prefilled) => body !== undefined && Object.keys(body).length === 0;
const idsOf = (operations: readonly Prefilled[]) => operations.map(({ id }) => id);

/** What Swagger UI works with: its start script holds a document of its own. */
async function documentOfTheForms(url: string): Promise<FormDocument> {
  const script = await (await fetch(`${url}/docs/swagger-ui-init.js`)).text();
  const [, options = ''] = /let options = (\{[^]*?\n\});/.exec(script) ?? [];
  return (JSON.parse(options) as { swaggerDoc: FormDocument }).swaggerDoc;
}

async function prefilledIn(walk: Walk): Promise<Prefilled[]> {
  const { paths } = await documentOfTheForms(walk.url);
  return walk.withBodies.map((operation) => {
    const described = paths[operation.path]?.[operation.method.toLowerCase()];
    const body = described?.requestBody?.content['application/json']?.example;
    return { id: described?.operationId ?? '', operation, body };
  });
}

/** Sends each body that is not empty. @param among what the operation needs, made for it alone */
async function send(
  walk: Walk,
  headers: Record<string, string>,
  empty: readonly string[],
  among: (one: Prefilled) => Promise<Walk>,
): Promise<void> {
  const all = await prefilledIn(walk);
  for (const one of all.filter((each) => !isEmpty(each))) {
    const own = await among(one);
    const statuses = MISSING[one.id] ?? SUCCESSES;
    await walk.verdicts.on([one.operation], statuses, (operation) => own.send(operation, headers, one.body));
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
      await send(walk, headers, EMPTY, async ({ id }) => {
        const contentId = await (posts[id] ?? (() => stage.suggestion()))();
        const names = { name: id, email: `${id}@example.com`, externalId: id };
        const { id: mediaId } = await aMediaFile(api.test.database, brandId);
        return walk.by(stage.person, { brandId, organizationId, contentId, mediaId, ...names });
      });
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
      await send(walk, bearer(owner.token), EMPTY_AT_IDENTITY, async () => {
        const own = walk.by(person, { userId: member.id, service: 'social-publishing' });
        const organizationId = (await own.things.address(organization)).split('/').at(-1);
        await identity.join(owner, member, 'viewer', organizationId);
        return own;
      });
    } finally {
      await identity.close();
    }
  });
});
