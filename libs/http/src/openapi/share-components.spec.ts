import type { OpenAPIObject } from '@nestjs/swagger';
import { shareComponents } from './share-components.js';

const requestId = { schema: { type: 'string' } };
const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const problem = (description: string, headers: object = {}) => ({
  description,
  headers: { 'X-Request-Id': requestId, ...headers },
});

/** One GET for each list of responses. */
const documentOf = (...operations: readonly Readonly<Record<string, object>>[]): OpenAPIObject =>
  ({
    openapi: '3.1.0',
    info: { title: 'Sample', version: '1' },
    components: { schemas: { ThingDto: {} } },
    paths: Object.fromEntries(
      operations.map((responses, index) => [`/${index}`, { get: { parameters: [limit], responses } }]),
    ),
  }) as unknown as OpenAPIObject;

const responsesOf = ({ paths }: OpenAPIObject) => Object.values(paths).map(({ get }) => get?.responses);

describe('the shared components of a document', () => {
  it('are its repeated headers, parameters and responses, and its schemas stay', () => {
    const shared = shareComponents(documentOf({ 404: problem('None') }, { 404: problem('None') }));
    expect(shared.components).toEqual({
      schemas: { ThingDto: {} },
      headers: { 'X-Request-Id': requestId },
      parameters: { LimitInQuery: limit },
      responses: {
        NotFound: {
          description: 'None',
          headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        },
      },
    });
    for (const { get } of Object.values(shared.paths))
      expect(get).toEqual({
        parameters: [{ $ref: '#/components/parameters/LimitInQuery' }],
        responses: { 404: { $ref: '#/components/responses/NotFound' } },
      });
  });

  it('are not what occurs once, and not responses of success', () => {
    const one = { 200: { description: 'It.' }, 404: { description: 'None' } };
    const other = { 200: { description: 'It.' } };
    expect(responsesOf(shareComponents(documentOf(one, other)))).toEqual([one, other]);
  });

  it('have the plain name for the most used one of several, and say where a response can be repeated', () => {
    const replayed = { 'Idempotent-Replayed': { schema: {} } };
    const [seldom, often] = [problem('Seldom'), problem('Often')];
    const operations = [seldom, seldom, often, often, often, problem('X', replayed), problem('X', replayed)];
    const shared = shareComponents(documentOf(...operations.map((response) => ({ 409: response }))));
    expect(shared.components?.responses).toMatchObject({
      Conflict: { description: 'Often' },
      Conflict2: { description: 'Seldom' },
      ConflictReplayable: { description: 'X' },
    });
  });

  it('leave the given document as it is', () => {
    const given = documentOf({ 404: problem('None') }, { 404: problem('None') });
    const before = structuredClone(given);
    shareComponents(given);
    expect(given).toEqual(before);
  });
});
