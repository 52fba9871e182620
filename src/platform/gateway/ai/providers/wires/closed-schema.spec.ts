import { closedSchema, SchemaIsNotClosed } from './closed-schema.js';

describe('a schema for models that take closed objects only', () => {
  it('closes objects, and tells bounds in the description', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 80, description: 'Of the post.' },
        at: { type: 'string', format: 'date-time', pattern: '^2' },
        tags: { type: 'array', minItems: 2, items: { properties: { name: { type: ['string', 'null'] } } } },
        first: { allOf: [{ $ref: '#/$defs/one' }], description: 'The first.' },
        either: { oneOf: [{ type: 'integer', minimum: 1 }, { const: null }] },
      },
      required: ['title'],
      $defs: { one: { type: 'object', properties: {}, additionalProperties: false } },
    };
    const closed = closedSchema(schema);
    expect(closed).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string', description: 'Of the post. {"minLength":1,"maxLength":80}' },
        at: { type: 'string', format: 'date-time', description: '{"pattern":"^2"}' },
        tags: {
          type: 'array',
          description: '{"minItems":2}',
          items: {
            type: 'object',
            properties: { name: { type: ['string', 'null'] } },
            additionalProperties: false,
          },
        },
        first: { $ref: '#/$defs/one', description: 'The first.' },
        either: { anyOf: [{ type: 'integer', description: '{"minimum":1}' }, { const: null }] },
      },
      required: ['title'],
      additionalProperties: false,
      $defs: { one: { type: 'object', properties: {}, additionalProperties: false } },
    });
  });

  it('keeps a property of the name of an inherited member', () => {
    const schema = {
      type: 'object',
      properties: { constructor: { type: 'string' }, type: { type: 'string' } },
    };
    expect(closedSchema(schema)).toEqual({ ...schema, additionalProperties: false });
  });

  it.each<[string, object, string]>([
    ['any value', {}, ''],
    ['an object of any properties', { type: 'object' }, ''],
    [
      'a map',
      { properties: { of: { type: 'object', additionalProperties: { type: 'string' } } } },
      '/properties/of',
    ],
    ['a property that may be anything', { properties: { a: true } }, '/properties/a'],
    ['another document', { properties: { a: { $ref: 'https://x.test/s' } } }, '/properties/a'],
    ['itself', { properties: { a: { $ref: '#' } } }, '/properties/a'],
    ['several schemas at once', { allOf: [{ type: 'object' }, { type: 'object' }] }, '/allOf'],
    [
      'definitions that refer to each other',
      {
        properties: { a: { $ref: '#/$defs/a' } },
        $defs: {
          a: { properties: { b: { $ref: '#/$defs/b' } } },
          b: { properties: { a: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/a' }] } } },
        },
      },
      '/$defs/a',
    ],
  ])('refuses %s, with its place', (_, schema, path) => {
    const attempt = () => closedSchema(schema as Readonly<Record<string, unknown>>);
    expect(attempt).toThrow(SchemaIsNotClosed);
    expect(attempt).toThrow(expect.objectContaining({ path }) as Error);
  });
});
